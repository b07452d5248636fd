//go:build !windows

package atomicfile

// isHeld reports false where a file can be opened whoever holds it.
func isHeld(error) bool { return false }

// isHeldTarget reports false where a file can be replaced whoever holds it.
func isHeldTarget(error) bool { return false }
