//go:build unix

package processtree

import (
	"os"
	"syscall"
)

// Signal signals every process of the list that still exists. It does not signal a
// later process with the same PID; where the system has handles for processes
// (pidfd_open(2)), not even one that starts during the call.
func (l List) Signal(signal syscall.Signal) {
	for _, meant := range l {
		// FindProcess opens a handle first. So the process that Look then sees is the
		// one that is signalled, or it is gone.
		process, err := os.FindProcess(meant.PID)
		if err != nil {
			continue
		}
		if found, err := Look(meant.PID); err == nil && found.Is(meant) {
			_ = process.Signal(signal) // it fails if the process has ended
		}
		_ = process.Release() // it only frees the handle
	}
}
