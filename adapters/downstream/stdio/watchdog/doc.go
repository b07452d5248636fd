// Package watchdog ends the servers of a workbench that was killed. Guard is the
// workbench's side: it starts this program again as the watchdog and reports
// servers to it over a pipe. Run is the watchdog's side: when the pipe ends, the
// servers that are still running get a moment to end on their own, then SIGTERM
// and then SIGKILL. On systems whose process table this program cannot read, no watchdog is
// started. Windows needs none, since job objects do the same.
//
// Decision: a second process ends the servers, since nothing runs in a killed process. A
// parent-death signal would reach direct children only. Processes are identified by PID and
// start time. A descendant that left its group, and whose parents had ended before the workbench
// was killed, is found by its mark on Linux, and not found on other systems. The price: one small
// process, and a server that was started microseconds before the kill can be missed.
package watchdog
