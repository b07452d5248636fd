package selection

import (
	"golang.org/x/sys/unix"
)

// limitData makes the system refuse memory when the process has so many bytes of data more than
// its heap: an allocation that is too large ends the process.
func limitData(limit int64) {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: uint64(limit), Max: unix.RLIM_INFINITY})
}
