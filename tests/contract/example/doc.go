// Package example is the worked example of CONTRIBUTING.md, "Adding a transport":
// a kind called "tcp", for servers that listen at a TCP address and speak one
// message in a line. It is not built into the program. Each file is one step.
package example
