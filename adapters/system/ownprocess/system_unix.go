//go:build unix

package ownprocess

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// closeEachOnExec marks the open descriptors from 3 on, one after the other.
func closeEachOnExec() {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return
	}
	for _, entry := range open {
		if descriptor, err := strconv.Atoi(entry.Name()); err == nil && descriptor > 2 {
			syscall.CloseOnExec(descriptor)
		}
	}
}

// processor returns the processor time of the process.
func processor() time.Duration {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// WithoutWindow does nothing: programs have no windows of their own.
func WithoutWindow(*exec.Cmd) {}
