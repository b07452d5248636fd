package processtree

import (
	"fmt"

	"golang.org/x/sys/unix"
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

// zombie is SZOMB of bsd/sys/proc.h.
const zombie = 5

func processOf(info *unix.KinfoProc) Process {
	pid := int(info.Proc.P_pid)
	// The struct holds only the address of the session. Getsid fails if the process ended meanwhile: then it is 0.
	session, _ := unix.Getsid(pid)
	return Process{
		PID: pid, Parent: int(info.Eproc.Ppid), Group: int(info.Eproc.Pgid), Session: session,
		Started: uint64(info.Proc.P_starttime.Nano() / 1000), Dead: info.Proc.P_stat == zombie,
	}
}
