//go:build unix

package usersocket

import (
	"io/fs"
	"os"
	"syscall"
)

// restrict lets only the user connect to a socket.
func restrict(socket string) error { return os.Chmod(socket, 0o600) }

// isOpen reports whether others can enter a folder, or it belongs to another user.
func isOpen(info fs.FileInfo) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(status.Uid) != os.Geteuid() || info.Mode().Perm()&0o077 != 0
}
