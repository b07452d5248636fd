//go:build !windows

package background

import (
	"errors"
	"syscall"
)

// isReset reports whether an error means that the other end closed the connection.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
