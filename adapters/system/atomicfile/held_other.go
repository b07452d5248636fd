//go:build !windows

package atomicfile

import "syscall"

// openFlags keep the system from waiting until a program writes into a pipe.
const openFlags = syscall.O_NONBLOCK

// isHeld reports false where a file can be opened whoever holds it.
func isHeld(error) bool { return false }

// isHeldTarget reports false where a file can be replaced whoever holds it.
func isHeldTarget(error) bool { return false }
