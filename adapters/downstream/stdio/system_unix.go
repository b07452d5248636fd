//go:build unix

package stdio

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

func systemVariables() variables { return unixVariables() }

const separators = "/"

// adaptToSystem does nothing: a program gets its arguments unchanged.
func (*launch) adaptToSystem() error { return nil }

// notExecutable says why an existing file is not a program.
func notExecutable() string { return "is not executable" }

// wrongFormat reports whether a file could not be started because it is not a Windows
// program.
func wrongFormat(error) bool { return false }

// inputPipe returns a pipe whose writing end has deadlines.
func inputPipe() (read, write *os.File, err error) { return os.Pipe() }

// readerIsGone reports whether a write failed because the reading end is closed.
func readerIsGone(err error) bool { return errors.Is(err, syscall.EPIPE) }

// ownGroup makes the child the leader of a new process group, so that the group can
// be signalled and Ctrl-C in a terminal does not reach it.
func ownGroup(string) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// group is a program that was started and its descendants. Safe for concurrent use.
type group struct {
	leader int
	// descendants include processes that left the group. It is nil on systems whose
	// processes cannot be listed.
	descendants *processtree.Descendants
}

// newGroup returns the group of a program that was just started with a mark and not yet
// waited for. Its descendants are searched for in the table.
func newGroup(leader int, mark string, table *processtree.Table) (*group, error) {
	g := &group{leader: leader}
	if program, err := processtree.Look(leader); err == nil {
		program.Mark = mark
		g.descendants = processtree.NewDescendants(table, program)
	}
	return g, nil
}

// gather records the current descendants, so that they are known after their parents
// end, even if they left the group.
func (g *group) gather() {
	if g.descendants != nil {
		g.descendants.Living()
	}
}

func (g *group) terminate() { g.signal(syscall.SIGTERM) }
func (g *group) kill()      { g.signal(syscall.SIGKILL) }
func (*group) close()       {}

// signal signals every process of the group, and each descendant that left it. It
// fails only for processes that have ended.
func (g *group) signal(signal syscall.Signal) {
	if g.descendants != nil {
		g.descendants.Living().Outside(g.leader).Signal(signal)
	}
	_ = syscall.Kill(-g.leader, signal)
}

// alive reports whether a reaped program has descendants left. The
// kernel does not reuse the leader's PID while its group exists. So if a process
// with that PID exists, the group is a later one.
func (g *group) alive() bool {
	err := syscall.Kill(-g.leader, 0)
	exists := err == nil || errors.Is(err, syscall.EPERM)
	if exists && errors.Is(syscall.Kill(g.leader, 0), syscall.ESRCH) {
		return true
	}
	return g.descendants != nil && len(g.descendants.Remaining()) > 0
}

// dead reports whether only zombies are left. Where process 1 does not reap them, as
// in some containers, they and the group stay forever.
func (g *group) dead() bool { return g.descendants != nil && len(g.descendants.Living()) == 0 }

// memory returns how many bytes the program and its descendants hold, and whether that is known.
func (g *group) memory() (size int64, known bool) {
	if g.descendants == nil {
		return 0, false
	}
	return g.descendants.Living().Resident()
}

// describe says how a program ended, to be read after "ended".
func describe(status *exec.ExitError) string {
	if wait, ok := status.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return fmt.Sprintf("by signal %d (%s)", wait.Signal(), wait.Signal())
	}
	return fmt.Sprintf("with exit code %d", status.ExitCode())
}
