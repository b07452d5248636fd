//go:build unix

package hostfiles

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByAnother reports whether a file belongs to another user. Root can write every file.
func ownedByAnother(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && os.Geteuid() != 0 && int(owner.Uid) != os.Geteuid()
}
