//go:build unix

package stdio

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
)

// ownGroup makes the child the leader of a new process group, so that all its
// descendants can be signalled and a terminal's Ctrl-C does not reach them.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func terminate(leader int) { signalGroup(leader, syscall.SIGTERM) }
func kill(leader int)      { signalGroup(leader, syscall.SIGKILL) }

// signalGroup signals every process of the group that leader leads or led. A
// failure means that the group is gone or going.
func signalGroup(leader int, signal syscall.Signal) {
	_ = syscall.Kill(-leader, signal)
}

// groupAlive reports whether the group of a leader that was reaped still holds
// a process. The kernel gives the leader's number to no new process while its
// group exists; so if there is a process of that number, the group is another
// one, made later.
func groupAlive(leader int) bool {
	if err := syscall.Kill(-leader, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	return errors.Is(syscall.Kill(leader, 0), syscall.ESRCH)
}

// describe names how a program ended.
func describe(status *exec.ExitError) string {
	if wait, ok := status.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return fmt.Sprintf("signal %d (%s)", wait.Signal(), wait.Signal())
	}
	return fmt.Sprintf("exit code %d", status.ExitCode())
}
