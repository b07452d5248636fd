//go:build unix

package processtree

import (
	"os"
	"syscall"
)

// Signal signals every process of the list that still is the one which the list
// means. Where the system has handles of processes, nothing that took over a
// number meanwhile can be hit.
func (l List) Signal(signal syscall.Signal) {
	for _, meant := range l {
		// FindProcess takes a handle first, so what is looked at next is what is
		// signalled, or gone.
		process, err := os.FindProcess(meant.PID)
		if err != nil {
			continue
		}
		if found, err := Look(meant.PID); err == nil && found.Is(meant) {
			_ = process.Signal(signal) // it is gone or going
		}
		_ = process.Release() // nothing depends on it
	}
}
