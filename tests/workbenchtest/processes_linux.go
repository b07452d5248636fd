package workbenchtest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// Servers returns the processes that the workbench or its descendants started, even if their
// parents have ended, without the watchdog.
func (w *Workbench) Servers() []int {
	return slices.DeleteFunc(w.Processes(), isWatchdog)
}

// Processes returns every process that the workbench started, including the watchdog.
func (w *Workbench) Processes() []int {
	return slices.DeleteFunc(processesWith(w.cookie), func(pid int) bool { return pid == w.PID() })
}

// isWatchdog reports whether the process is the one that ends the servers of a workbench
// that is killed.
func isWatchdog(pid int) bool {
	line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline")) // nothing if it is gone
	return bytes.Contains(line, []byte("\x00__watchdog\x00"))
}

// processesWith returns the processes with an entry in their environment. Zombies have no
// environment. Every spec checks all processes on the machine once, so this does
// not use filepath.Glob, which lists the folder of each.
func processesWith(entry string) []int {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // not a process
		}
		environment, _ := os.ReadFile(filepath.Join("/proc", name, "environ")) // nothing if it is gone or belongs to another user
		for variable := range bytes.SplitSeq(environment, []byte{0}) {
			if string(variable) == entry {
				pids = append(pids, pid)
			}
		}
	}
	slices.Sort(pids)
	return pids
}

// endLeftovers kills the processes with an entry in their environment and returns
// their descriptions. A process without a command line has ended meanwhile.
func endLeftovers(entry string) []string {
	var left []string
	for _, pid := range processesWith(entry) {
		line, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if len(line) == 0 {
			continue
		}
		left = append(left, strconv.Itoa(pid)+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte(" "))))
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone
	}
	return left
}
