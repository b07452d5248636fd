package workbenchtest

import (
	"os/exec"
	"syscall"
)

// ThroughShell has a shell start the process, by a line in which "$0" "$@" is the program.
func ThroughShell(process *exec.Cmd, line string) {
	process.Args = append([]string{"sh", "-c", line}, process.Args...)
	process.Path = "/bin/sh"
}

// OwnUser is a user that nothing else on the machine runs as.
const OwnUser = 54_321

// RunAsOwnUser has the process run as OwnUser, which can read and write every file: only rules
// about owners can stop it.
func RunAsOwnUser(process *exec.Cmd) {
	const overrideAccess = 1
	ThroughShell(process, `exec "$0" "$@"`)
	process.SysProcAttr = &syscall.SysProcAttr{
		Credential:  &syscall.Credential{Uid: OwnUser, Gid: OwnUser, NoSetGroups: true},
		AmbientCaps: []uintptr{overrideAccess},
	}
}
