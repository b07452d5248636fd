//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// drop takes out of a terminal what was typed and not read yet. What is no terminal keeps
// it.
func drop(in *os.File) {
	const read = 1 // FREAD: what was typed, not what is to be shown
	_ = unix.IoctlSetPointerInt(int(in.Fd()), unix.TIOCFLUSH, read)
}
