// Package doctor finds common problems: in the configuration, in the files and variables around
// it, in the files of hosts, and in servers, which it starts to examine them. Each Finding has a
// code that never changes, what was found, and how to fix it.
//
// Start with Doctor. The table checks has the checks that start no server, in the order of the
// report; servers.go examines servers that were started.
package doctor
