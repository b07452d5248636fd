//go:build unix

package watchdog

import "syscall"

// detached puts the watchdog into a session of its own, so that signals to the
// workbench's process group or terminal do not reach it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
