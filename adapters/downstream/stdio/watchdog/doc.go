// Package watchdog ends what a workbench leaves behind that was killed. Guard is
// the workbench's side: it starts this program once more and reports the servers
// over a pipe. Run is the other side: when the pipe ends, whatever still lives of
// the servers reported gets a moment, SIGTERM and then SIGKILL. On systems where
// processes cannot be looked at, nothing is started and nothing is ended.
package watchdog
