package processtree

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
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
	var buffer [maxStat]byte
	stat, err := read("/proc/"+strconv.Itoa(pid)+"/stat", buffer[:])
	if err != nil {
		return Process{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	return parseStat(pid, stat)
}

// maxStat is more bytes than /proc/PID/stat has: 52 fields, with at most 64 bytes for the name
// and a number 20.
const maxStat = 2 << 10

// read returns what one read of a file returns. It makes half the system calls of os.ReadFile, which
// counts where every process is looked at.
func read(path string, into []byte) ([]byte, error) {
	file, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller knows the file
	}
	defer unix.Close(file) //nolint:errcheck // it was only read from
	for {
		n, err := unix.Read(file, into)
		if !errors.Is(err, unix.EINTR) {
			return into[:max(n, 0)], err //nolint:wrapcheck // the caller knows the file
		}
	}
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
