package atomicfile

import (
	"errors"

	"golang.org/x/sys/windows"
)

// openFlags are empty, since opening a file never waits for a writing program.
const openFlags = 0

// isHeld reports whether a file could not be opened because another program uses it.
func isHeld(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }

// isHeldTarget reports whether a file could not be replaced, possibly because another program uses it.
func isHeldTarget(err error) bool { return isHeld(err) || errors.Is(err, windows.ERROR_ACCESS_DENIED) }
