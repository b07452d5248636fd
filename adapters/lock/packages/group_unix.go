//go:build unix

package packages

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a program the leader of a process group, which is killed when its context ends.
// Ctrl-C in a terminal does not reach the group; only the context ends it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
