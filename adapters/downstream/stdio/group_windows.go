package stdio

import (
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// ownGroup keeps Ctrl-C in the console from reaching the child.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// group is a job: what the program starts is in it too, and all of it ends with
// the last handle of the job, however the workbench ends. What the program starts
// before it is put into the job escapes.
type group struct{ job windows.Handle }

// newGroup puts a program that was just started into a job. One that cannot be
// put into one has ended.
func newGroup(leader int, _ *processtree.Table) *group {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return &group{}
	}
	g := &group{job: job}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return g
	}
	program, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(leader))
	if err != nil {
		return g
	}
	defer windows.CloseHandle(program) //nolint:errcheck // nothing depends on it
	_ = windows.AssignProcessToJobObject(job, program)
	return g
}

func (*group) gather() {}

// terminate kills: Windows has no SIGTERM, and the input was closed before.
func (g *group) terminate() { g.kill() }

func (g *group) kill() { _ = windows.TerminateJobObject(g.job, 1) }

// close ends the processes that are still in the job.
func (g *group) close() { _ = windows.CloseHandle(g.job) }

// alive reports whether processes are left in the job.
func (g *group) alive() bool {
	var accounting struct { // JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
		_               [4]int64 // times
		_               [2]uint32
		ActiveProcesses uint32
		TotalTerminated uint32
	}
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&accounting)), uint32(unsafe.Sizeof(accounting)), nil)
	return err == nil && accounting.ActiveProcesses > 0
}

// dead reports whether only zombies are left. Windows has none.
func (*group) dead() bool { return false }

// describe names how a program ended.
func describe(status *exec.ExitError) string {
	return fmt.Sprintf("exit code %d", status.ExitCode())
}
