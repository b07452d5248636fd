package stdio

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/system/programs"
)

func systemVariables() variables { return windowsVariables() }

const separators = `/\:`

// adaptToSystem changes how batch files are started, since cmd.exe interprets their
// arguments. Instead of those of npm it starts the script that they run; others get
// arguments that are quoted for cmd.exe.
func (l *launch) adaptToSystem() error {
	if err := checkForWindows(l.program); err != nil {
		return err
	}
	if !isBatchFile(l.path) {
		return nil
	}
	if isOnShare(l.program.Cwd) {
		return fmt.Errorf("command '%s' is a batch file, and cmd.exe cannot run one in the working directory '%s': "+
			"map the share to a drive letter", l.shown.Command, l.shown.Cwd)
	}
	if script, ok := npmScript(l.path); ok {
		if node, ok := l.nodeBeside(l.path); ok {
			l.path, l.args = node, append([]string{script}, l.args...)
			return nil
		}
	}
	line, err := batchCommandLine(l.path, l.args)
	if err != nil {
		return fmt.Errorf("command '%s' is a batch file, and %w", l.shown.Command, err)
	}
	system, err := windows.GetSystemDirectory()
	if err != nil {
		return fmt.Errorf("command '%s' is a batch file, and cmd.exe was not found: %s", l.shown.Command, cause(err))
	}
	l.path, l.line = filepath.Join(system, "cmd.exe"), line
	return nil
}

// nodeBeside finds Node where npm's batch files look for it: beside them, then in
// PATH.
func (l *launch) nodeBeside(shim string) (string, bool) {
	if node, ok := executable(filepath.Join(filepath.Dir(shim), "node.exe")); ok {
		return node, true
	}
	node := programs.Find(l.searchPath(), "node.exe")
	return node, node != ""
}

// notExecutable says why an existing file is not a program.
func notExecutable() string {
	extensions := cmp.Or(os.Getenv("PATHEXT"), ".COM;.EXE;.BAT;.CMD")
	return "is not a program: Windows starts files by their extension, one of " + extensions
}

// wrongFormat reports whether a file could not be started because it is not a Windows
// program.
func wrongFormat(err error) bool { return errors.Is(err, windows.ERROR_BAD_EXE_FORMAT) }

// inputBuffer is the size of the buffer of a server's input, as on Linux.
const inputBuffer = 64 << 10

// inputPipe returns a pipe whose writing end has deadlines. os.Pipe has none on
// Windows, since its ends are not overlapped; those of a named pipe can be. The
// reading end is not overlapped: programs read their standard input synchronously.
func inputPipe() (read, write *os.File, err error) {
	path := fmt.Sprintf(`\\.\pipe\mcp-workbench-%d-%s`, os.Getpid(), rand.Text())
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateNamedPipe", err)
	}
	const mode = windows.PIPE_ACCESS_OUTBOUND | windows.FILE_FLAG_OVERLAPPED | windows.FILE_FLAG_FIRST_PIPE_INSTANCE
	writing, err := windows.CreateNamedPipe(name, mode,
		windows.PIPE_TYPE_BYTE|windows.PIPE_REJECT_REMOTE_CLIENTS, 1, inputBuffer, inputBuffer, 0, nil)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateNamedPipe", err)
	}
	// These are the rights of CreatePipe's reading end: Node sets the mode of the pipe.
	const access = windows.GENERIC_READ | windows.FILE_WRITE_ATTRIBUTES
	reading, err := windows.CreateFile(name, access, 0, nil, windows.OPEN_EXISTING, 0, 0)
	if err != nil {
		return nil, nil, errors.Join(os.NewSyscallError("CreateFile", err), windows.CloseHandle(writing))
	}
	return os.NewFile(uintptr(reading), "|0"), os.NewFile(uintptr(writing), "|1"), nil
}

// readerIsGone reports whether a write failed because the reading end is closed.
func readerIsGone(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, windows.ERROR_PIPE_NOT_CONNECTED)
}

// ownGroup keeps Ctrl-C in the console from reaching the child, and suspends it until
// newGroup has put it into a job. If its command line is "", os/exec makes one from its
// arguments. The window of a console is hidden that Windows opens for the child if the workbench has none, as in hosts
// with windows.
//
// Decision: CREATE_NO_WINDOW would do the same, but under Wine the console then keeps the pipes of the child open.
func ownGroup(line string) *syscall.SysProcAttr {
	const flags = windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED
	return &syscall.SysProcAttr{CmdLine: line, CreationFlags: flags, HideWindow: true}
}

// group is a job object: it contains a program and its descendants. Windows ends all
// of them when the last handle of the job is closed, however the workbench ends.
type group struct{ job windows.Handle }

// newGroup puts a suspended program into a job and lets it run.
func newGroup(leader int, _ string, _ *processtree.Table) (*group, error) {
	job, err := newJob(uint32(leader))
	if err != nil {
		return nil, err
	}
	if err := resume(uint32(leader)); err != nil {
		return nil, errors.Join(err, windows.CloseHandle(job))
	}
	return &group{job: job}, nil
}

// newJob returns a job that contains the program.
func newJob(leader uint32) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, os.NewSyscallError("CreateJobObject", err)
	}
	if err := fill(job, leader); err != nil {
		return 0, errors.Join(err, windows.CloseHandle(job))
	}
	return job, nil
}

// fill puts the program into the job, and makes the job end its processes when it is
// closed.
func fill(job windows.Handle, leader uint32) error {
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return os.NewSyscallError("SetInformationJobObject", err)
	}
	program, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, leader)
	if err != nil {
		return os.NewSyscallError("OpenProcess", err)
	}
	defer windows.CloseHandle(program) //nolint:errcheck // it fails only for an invalid handle
	return os.NewSyscallError("AssignProcessToJobObject", windows.AssignProcessToJobObject(job, program))
}

// errNoThread means that a program was gone before it ran.
var errNoThread = errors.New("the program has no thread")

// resume continues a program that was started suspended. Such a program has one thread.
func resume(pid uint32) error {
	threads, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return os.NewSyscallError("CreateToolhelp32Snapshot", err)
	}
	defer windows.CloseHandle(threads) //nolint:errcheck // it fails only for an invalid handle
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(threads, &entry); err == nil; err = windows.Thread32Next(threads, &entry) {
		if entry.OwnerProcessID == pid {
			return resumeThread(entry.ThreadID)
		}
	}
	return errNoThread
}

func resumeThread(id uint32) error {
	thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, id)
	if err != nil {
		return os.NewSyscallError("OpenThread", err)
	}
	defer windows.CloseHandle(thread) //nolint:errcheck // it fails only for an invalid handle
	_, err = windows.ResumeThread(thread)
	return os.NewSyscallError("ResumeThread", err)
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

// describe says how a program ended, to be read after "ended".
func describe(status *exec.ExitError) string {
	return "with " + exitCode(uint32(status.ExitCode()))
}

// memory reports that the memory of a server is not measured on Windows.
func (*group) memory() (size int64, known bool) { return 0, false }
