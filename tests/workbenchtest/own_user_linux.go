package workbenchtest

import (
	"os/exec"
	"syscall"
)

// ThroughShell makes a shell start the process, with a command line in which "$0" "$@" is the program.
func ThroughShell(process *exec.Cmd, line string) {
	process.Args = append([]string{"sh", "-c", line}, process.Args...)
	process.Path = "/bin/sh"
}

// OwnUser is a user id that nothing else on the machine uses.
const OwnUser = 54_321

// RunAsOwnUser makes the process run as OwnUser with the right to read and write every file, so that
// only checks of owners can stop it.
func RunAsOwnUser(process *exec.Cmd) {
	const overrideAccess = 1
	ThroughShell(process, `exec "$0" "$@"`)
	process.SysProcAttr = &syscall.SysProcAttr{
		Credential:  &syscall.Credential{Uid: OwnUser, Gid: OwnUser, NoSetGroups: true},
		AmbientCaps: []uintptr{overrideAccess},
	}
}
