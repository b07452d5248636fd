package login

import "syscall"

// errInUse says that another program uses a port (WSAEADDRINUSE).
const errInUse = syscall.Errno(10048)
