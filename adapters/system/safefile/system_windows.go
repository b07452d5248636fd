package safefile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// openFlags are empty, since opening a file never waits for a writing program.
const openFlags = 0

// isHeld reports whether a file could not be opened because another program uses it.
func isHeld(err error) bool { return errors.Is(err, windows.ERROR_SHARING_VIOLATION) }

// isHeldTarget reports whether a file could not be replaced, possibly because another program uses it.
func isHeldTarget(err error) bool { return isHeld(err) || errors.Is(err, windows.ERROR_ACCESS_DENIED) }

// keepOwner does nothing, since the owner of a file depends on its folder.
func keepOwner(*os.File, fs.FileInfo) error { return nil }

// IsOwn reports true, since the owner of a file depends on its folder.
func IsOwn(fs.FileInfo) bool { return true }

// Exposure returns "", since modes do not restrict writing on this system.
func Exposure(fs.FileInfo) string { return "" }
