package packages

import (
	"io/fs"
	"syscall"
	"time"
)

// changed returns the number of a file in its file system and when its bytes, its mode or its
// name were changed last, which the system alone sets.
func changed(info fs.FileInfo) (number uint64, at time.Time, tells bool) {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}, false
	}
	return status.Ino, time.Unix(status.Ctim.Unix()), true
}
