//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// drop removes what was typed and not read yet from a terminal. A file that is not one keeps
// it.
func drop(in *os.File) {
	const read = 1 // FREAD: what was typed, not what is to be shown
	_ = unix.IoctlSetPointerInt(int(in.Fd()), unix.TIOCFLUSH, read)
}
