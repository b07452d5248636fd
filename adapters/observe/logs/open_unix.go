//go:build unix

package logs

import "syscall"

// openFlags refuse a link, and do not wait for the reader of a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
