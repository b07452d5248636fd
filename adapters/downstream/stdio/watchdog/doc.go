// Package watchdog ends the servers of a workbench that was killed. Guard is the
// workbench's side: it starts this program again as the watchdog and reports
// servers to it over a pipe. Run is the watchdog's side: when the pipe ends, the
// servers that are still running get a moment to end by themselves, then SIGTERM
// and then SIGKILL. On systems without a process table that this program can read
// (on Windows a job object does the work), no watchdog is started.
package watchdog
