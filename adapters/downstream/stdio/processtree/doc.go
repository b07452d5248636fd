// Package processtree lists processes, finds the descendants of a program and
// signals processes. A process is identified by its PID and its start time, so a
// later process with the same PID is never signalled.
//
// Decision: on Linux a program is started with a mark in its environment. A process that left
// the group of the program, and lost its parents before anything looked, is still found by it.
// PR_SET_CHILD_SUBREAPER would find it only while the workbench lives, would not say which server
// it belongs to, and would make the workbench wait for processes that it did not start. A cgroup
// of its own is not to be had without the system's help. The price: a daemon that a server started
// ends with the server, unless it was started without the variable.
package processtree
