//go:build unix

package login

import "syscall"

// errInUse says that another program uses a port.
const errInUse = syscall.EADDRINUSE
