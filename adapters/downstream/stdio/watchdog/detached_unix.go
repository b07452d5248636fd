//go:build unix

package watchdog

import "syscall"

// detached puts the watchdog into a session of its own: what is sent to the
// workbench's group or terminal does not reach it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
