package processtree

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The compiler refuses an offset that is not the one of the struct.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(unix.KinfoProc{})-kinfoSize]
	_ = [1]struct{}{}[unsafe.Offsetof(unix.ExternProc{}.P_starttime)+unsafe.Offsetof(unix.Timeval{}.Sec)-kinfoSecondsOffset]
	_ = [1]struct{}{}[unsafe.Offsetof(unix.ExternProc{}.P_starttime)+unsafe.Offsetof(unix.Timeval{}.Usec)-kinfoMicrosOffset]
	_ = [1]struct{}{}[unsafe.Offsetof(unix.ExternProc{}.P_stat)-kinfoStatOffset]
	_ = [1]struct{}{}[unsafe.Offsetof(unix.ExternProc{}.P_pid)-kinfoPIDOffset]
	_ = [1]struct{}{}[unsafe.Offsetof(unix.KinfoProc{}.Eproc)+unsafe.Offsetof(unix.Eproc{}.Ppid)-kinfoParentOffset]
	_ = [1]struct{}{}[unsafe.Offsetof(unix.KinfoProc{}.Eproc)+unsafe.Offsetof(unix.Eproc{}.Pgid)-kinfoGroupOffset]
)

// Snapshot returns all processes. One that ends during the call can be missing.
func Snapshot() (List, error) {
	infos, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	list := make(List, 0, len(infos))
	for i := range infos {
		list = append(list, processOf(&infos[i]))
	}
	return list, nil
}

// Look returns the process with that PID, dead or alive.
func Look(pid int) (Process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return Process{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	return processOf(info), nil
}

func processOf(info *unix.KinfoProc) Process {
	process := parseKinfo((*[kinfoSize]byte)(unsafe.Pointer(info)))
	// Getsid fails if the process ended meanwhile. Session is 0 then.
	process.Session, _ = unix.Getsid(process.PID)
	return process
}
