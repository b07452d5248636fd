package status

import (
	"errors"
	"syscall"
)

// isRefused reports whether nothing listens at a socket.
func isRefused(err error) bool {
	const refused = syscall.Errno(10061) // WSAECONNREFUSED
	return errors.Is(err, refused)
}
