//go:build !windows

package terminal

import (
	"errors"
	"syscall"
)

// readerIsGone reports whether a write failed since nobody reads the pipe.
func readerIsGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
