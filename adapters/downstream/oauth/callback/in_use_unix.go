//go:build unix

package callback

import "syscall"

// errInUse says that another program listens on a port.
const errInUse = syscall.EADDRINUSE
