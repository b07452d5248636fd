//go:build !windows

package usersocket

import (
	"errors"
	"syscall"
)

// IsRefused reports whether nothing listens at a socket.
func IsRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
