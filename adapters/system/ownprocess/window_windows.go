package ownprocess

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// WithoutWindow keeps Windows from opening a console window for a program, which it does if this process has no console.
func WithoutWindow(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
}
