// Package processtree lists processes, finds the descendants of a program and
// signals processes. A process is identified by its PID and its start time, so a
// later process with the same PID is never signalled.
//
// Decision: on Linux a program is started with a mark in its environment. The mark still finds a
// process that left the program's group and lost its parents before the processes were listed.
// PR_SET_CHILD_SUBREAPER would find it only while the workbench runs, would not tell which server it
// belongs to, and would make the workbench wait for processes that it did not start. A separate
// cgroup requires privileges. The price: a daemon that a server started ends with the server, unless
// it was started without the variable.
package processtree
