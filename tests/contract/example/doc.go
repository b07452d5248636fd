// Package example is the worked example of CONTRIBUTING.md, "Adding a transport": the
// kind "tcp", for servers that listen at a TCP address and exchange one message per line.
// It is not part of the program. transport.go has its keys, their check and its connections.
package example
