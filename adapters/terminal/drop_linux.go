package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// drop discards the typed input of a terminal that was not read yet. It does nothing to other
// files.
func drop(in *os.File) { _ = unix.IoctlSetInt(int(in.Fd()), unix.TCFLSH, unix.TCIFLUSH) }
