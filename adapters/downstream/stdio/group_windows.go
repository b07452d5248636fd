package stdio

import (
	"fmt"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownGroup keeps a Ctrl-C of the console away from the child.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// terminate has no gentle form here: closing the input was the request.
func terminate(leader int) { kill(leader) }

func kill(leader int) {
	process, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, uint32(leader))
	if err != nil {
		return // it is gone
	}
	defer windows.CloseHandle(process) //nolint:errcheck // nothing depends on it
	_ = windows.TerminateProcess(process, 1)
}

func groupAlive(int) bool { return false }

// describe names how a program ended.
func describe(status *exec.ExitError) string {
	return fmt.Sprintf("exit code %d", status.ExitCode())
}
