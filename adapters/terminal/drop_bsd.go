//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// drop discards the typed input of a terminal that was not read yet. It does nothing to other
// files.
func drop(in *os.File) {
	const read = 1 // FREAD: input, not output
	_ = unix.IoctlSetPointerInt(int(in.Fd()), unix.TIOCFLUSH, read)
}
