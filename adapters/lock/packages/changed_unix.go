//go:build linux || darwin

package packages

import (
	"io/fs"
	"syscall"
	"time"
)

// changeOf returns the number of a file in its file system, and the time of the last change of its bytes,
// mode or name, which only the system sets.
func changeOf(info fs.FileInfo) (number uint64, at time.Time, tells bool) {
	status, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}, false
	}
	changed := changeTime(status)
	return status.Ino, time.Unix(changed.Unix()), true
}
