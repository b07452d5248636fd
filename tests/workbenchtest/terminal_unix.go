//go:build unix

package workbenchtest

import (
	"os"
	"os/exec"
	"syscall"
)

// inOwnSession makes a program the first one of its session, whose terminal is its standard input.
func inOwnSession(command *exec.Cmd) {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Setsid, command.SysProcAttr.Setctty = true, true
}

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
