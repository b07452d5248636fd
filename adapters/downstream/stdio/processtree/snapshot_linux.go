package processtree

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
)

// Snapshot returns all processes. One that ends during the call can be missing.
func Snapshot() (List, error) {
	directory, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	defer directory.Close() //nolint:errcheck // it was only read from
	names, err := directory.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	var list List
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if process, err := Look(pid); err == nil {
			list = append(list, process)
		}
	}
	return list, nil
}

// Look returns the process with that PID, dead or alive.
func Look(pid int) (Process, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	return parseStat(pid, stat)
}

// The indexes of fields after the name of the program, which may itself contain
// spaces and brackets (proc_pid_stat(5)).
const (
	stateField   = 0
	parentField  = 1
	groupField   = 2
	sessionField = 3
	startedField = 19
)

var errStat = errors.New("/proc/PID/stat has an unknown format")

func parseStat(pid int, stat []byte) (Process, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= startedField {
		return Process{}, errStat
	}
	number := func(field int) int {
		value, _ := strconv.Atoi(string(fields[field])) // the kernel writes numbers
		return value
	}
	started, err := strconv.ParseUint(string(fields[startedField]), 10, 64)
	if err != nil {
		return Process{}, errStat
	}
	state := fields[stateField][0]
	return Process{
		PID: pid, Parent: number(parentField), Group: number(groupField), Session: number(sessionField),
		Started: started, Dead: state == 'Z' || state == 'X',
	}, nil
}
