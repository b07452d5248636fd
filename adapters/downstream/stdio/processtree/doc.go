// Package processtree lists processes, finds the descendants of a program and
// signals processes. A process is identified by its PID and its start time, so a
// later process with the same PID is never signalled.
package processtree
