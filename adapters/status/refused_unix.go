//go:build !windows

package status

import (
	"errors"
	"syscall"
)

// isRefused reports whether nothing listens at a socket.
func isRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
