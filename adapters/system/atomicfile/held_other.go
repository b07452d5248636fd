//go:build !windows

package atomicfile

import "syscall"

// openFlags keep the system from waiting until a program writes into a pipe.
const openFlags = syscall.O_NONBLOCK

// isHeld returns false: other programs do not prevent opening a file.
func isHeld(error) bool { return false }

// isHeldTarget returns false: other programs do not prevent replacing a file.
func isHeldTarget(error) bool { return false }
