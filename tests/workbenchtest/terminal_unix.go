//go:build unix

package workbenchtest

import (
	"os"
	"syscall"
)

// closable returns a terminal that can be closed while it is being read.
func closable(terminal *os.File) (*os.File, error) {
	defer func() { _ = terminal.Close() }()
	fd, err := syscall.Dup(int(terminal.Fd()))
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), terminal.Name()), nil
}
