//go:build !windows

package terminal_test

import "syscall"

// gone is the failure to write to a pipe that is no longer read.
var gone error = syscall.EPIPE
