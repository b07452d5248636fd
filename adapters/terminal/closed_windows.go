package terminal

import (
	"errors"

	"golang.org/x/sys/windows"
)

// readerIsGone reports whether a write failed because the pipe is no longer read. Windows has one error for a
// closed reader and another one for a closing reader.
func readerIsGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}
