package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// drop removes what was typed and not read yet from a terminal. A file that is not one keeps
// it.
func drop(in *os.File) { _ = unix.IoctlSetInt(int(in.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
