//go:build unix

package callback

import "syscall"

// errInUse says that another program uses a port.
const errInUse = syscall.EADDRINUSE
