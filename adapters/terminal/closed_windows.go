package terminal

import (
	"errors"

	"golang.org/x/sys/windows"
)

// readerIsGone reports whether a write failed since the pipe is no longer read: Windows names a pipe whose
// reader is gone or going in two ways.
func readerIsGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
