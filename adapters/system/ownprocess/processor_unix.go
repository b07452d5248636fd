//go:build unix

package ownprocess

import (
	"time"

	"golang.org/x/sys/unix"
)

// processor returns the processor time of the process.
func processor() time.Duration {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
