//go:build unix

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and group of the file that it replaces. It fails if the user is not
// allowed to do that, so that a file of another user keeps its owner.
func keepOwner(file *os.File, before fs.FileInfo) error {
	was, ok := before.Sys().(*syscall.Stat_t)
	if !ok || int(was.Uid) == os.Geteuid() && int(was.Gid) == os.Getegid() {
		return nil
	}
	return file.Chown(int(was.Uid), int(was.Gid))
}

// IsOwn reports whether a file belongs to this user.
func IsOwn(info fs.FileInfo) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(status.Uid) == os.Geteuid()
}
