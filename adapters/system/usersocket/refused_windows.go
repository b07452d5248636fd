package usersocket

import (
	"errors"
	"syscall"
)

// IsRefused reports whether nothing listens at a socket.
func IsRefused(err error) bool {
	const refused = syscall.Errno(10061) // WSAECONNREFUSED
	return errors.Is(err, refused)
}
