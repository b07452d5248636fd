package processtree

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of sys/proc.h.
const zombie = 5

// Snapshot returns all processes. One that ends meanwhile may be missing.
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
	process := Process{
		PID: int(info.Proc.P_pid), Parent: int(info.Eproc.Ppid), Group: int(info.Eproc.Pgid),
		Started: uint64(info.Proc.P_starttime.Sec)*1_000_000 + uint64(info.Proc.P_starttime.Usec),
		Dead:    info.Proc.P_stat == zombie,
	}
	// Getsid fails if the process ended meanwhile. Session is 0 then.
	process.Session, _ = unix.Getsid(process.PID)
	return process
}
