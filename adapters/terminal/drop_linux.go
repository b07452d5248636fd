package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// drop takes out of a terminal what was typed and not read yet. What is no terminal keeps
// it.
func drop(in *os.File) { _ = unix.IoctlSetInt(int(in.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
