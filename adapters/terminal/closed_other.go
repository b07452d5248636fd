//go:build !windows

package terminal

import (
	"errors"
	"syscall"
)

// readerIsGone reports whether a write failed because the pipe is no longer read.
func readerIsGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
