package selection

import (
	"golang.org/x/sys/unix"
)

// limitData limits the data of the process, which includes its heap, to a number of bytes. The system
// refuses more memory, so that an allocation that is too large ends the process.
func limitData(limit int64) {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: uint64(limit), Max: unix.RLIM_INFINITY})
}
