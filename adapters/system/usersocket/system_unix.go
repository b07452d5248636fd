//go:build unix

package usersocket

import (
	"errors"
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

// IsRefused reports whether nothing listens at a socket.
func IsRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// Supported returns why workbenches cannot be asked on this system: nil, since they can.
func Supported() error { return nil }
