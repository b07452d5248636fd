package atomicfile

import (
	"errors"

	"golang.org/x/sys/windows"
)

// openFlags are none: no file waits for a program that writes into it.
const openFlags = 0

// isHeld reports whether a file could not be opened because somebody holds it.
func isHeld(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }

// isHeldTarget reports whether a file could not be replaced because somebody may hold it.
func isHeldTarget(err error) bool { return isHeld(err) || errors.Is(err, windows.ERROR_ACCESS_DENIED) }
