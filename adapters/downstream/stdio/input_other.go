//go:build !windows

package stdio

import (
	"errors"
	"os"
	"syscall"
)

// inputPipe returns a pipe whose writing end has deadlines.
func inputPipe() (read, write *os.File, err error) { return os.Pipe() }

// readerIsGone reports whether a write failed because the reading end is closed.
func readerIsGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
