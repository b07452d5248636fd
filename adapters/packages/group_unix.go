//go:build unix

package packages

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a program the leader of a process group, and kills that as a whole when
// its context ends. Ctrl-C in a terminal does not reach it: the context does.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
