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
//
// A watchdog ends the servers of a workbench that was killed. Guard is the
// workbench's side: it starts this program again as the watchdog and reports
// servers to it over a pipe. RunWatchdog is the watchdog's side: when the pipe ends, the
// servers that are still running get a moment to end on their own, then SIGTERM
// and then SIGKILL. On systems whose process table this program cannot read, no watchdog is
// started. Windows needs none, since job objects do the same.
//
// Decision: a second process ends the servers, since nothing runs in a killed process. A
// parent-death signal would reach direct children only. Processes are identified by PID and
// start time. A descendant that left its group, and whose parents had ended before the workbench
// was killed, is found by its mark on Linux, and not found on other systems. The price: one small
// process, and a server that was started microseconds before the kill can be missed.
package processtree
