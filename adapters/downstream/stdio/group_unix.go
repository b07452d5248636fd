//go:build unix

package stdio

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// ownGroup makes the child the leader of a new process group, so that all its
// descendants can be signalled and a terminal's Ctrl-C does not reach them.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// group is a program that was started and what it has started. Safe for concurrent
// use.
type group struct {
	leader int
	// family has what left the group too; nil when processes cannot be looked at.
	family *processtree.Family
}

// newGroup returns the group of a program that was just started and not waited
// for. What it starts is looked for in the census.
func newGroup(leader int, census *processtree.Census) *group {
	g := &group{leader: leader}
	if program, err := processtree.Look(leader); err == nil {
		g.family = processtree.NewFamily(census, program)
	}
	return g
}

// gather notes what the program has started, so that it is found though its
// parents end and though it left the group.
func (g *group) gather() {
	if g.family != nil {
		g.family.Living()
	}
}

func (g *group) terminate() { g.signal(syscall.SIGTERM) }
func (g *group) kill()      { g.signal(syscall.SIGKILL) }
func (*group) close()       {}

// signal signals every process of the group, and each that left it. A failure
// means that they are gone or going.
func (g *group) signal(signal syscall.Signal) {
	if g.family != nil {
		g.family.Living().Outside(g.leader).Signal(signal)
	}
	_ = syscall.Kill(-g.leader, signal)
}

// alive reports whether something is left of a program that was reaped. The
// kernel gives the leader's number to no new process while its group exists; so
// if there is a process of that number, the group is another one, made later.
func (g *group) alive() bool {
	err := syscall.Kill(-g.leader, 0)
	exists := err == nil || errors.Is(err, syscall.EPERM)
	if exists && errors.Is(syscall.Kill(g.leader, 0), syscall.ESRCH) {
		return true
	}
	return g.family != nil && len(g.family.Remaining()) > 0
}

// dead reports whether all that is left of the group are processes that ended and that
// nobody has reaped: where process 1 is no init they stay, and so does the group.
func (g *group) dead() bool { return g.family != nil && len(g.family.Living()) == 0 }

// describe names how a program ended.
func describe(status *exec.ExitError) string {
	if wait, ok := status.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return fmt.Sprintf("signal %d (%s)", wait.Signal(), wait.Signal())
	}
	return fmt.Sprintf("exit code %d", status.ExitCode())
}
