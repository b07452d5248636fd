package ownprocess

import (
	"os/exec"
	"syscall"
)

// WithoutWindow hides the console window that Windows opens for a program if this process has no console.
func WithoutWindow(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{HideWindow: true}
}
