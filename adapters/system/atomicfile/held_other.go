//go:build !windows

package atomicfile

import "syscall"

// openFlags make opening a pipe not wait for a writing program.
const openFlags = syscall.O_NONBLOCK

// isHeld returns false: other programs do not prevent opening a file.
func isHeld(error) bool { return false }

// isHeldTarget returns false: other programs do not prevent replacing a file.
func isHeldTarget(error) bool { return false }
