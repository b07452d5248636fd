package callback

import "syscall"

// errInUse says that another program listens on a port (WSAEADDRINUSE).
const errInUse = syscall.Errno(10048)
