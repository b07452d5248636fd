package processtree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// markVariable is the environment variable that carries the mark of a program. Processes
// inherit it, so it identifies the descendants of a program even when all processes in between are gone
// (Jenkins and GitHub's runners find leftover processes in the same way).
const markVariable = "MCP_WORKBENCH_SERVER"

// maxEnvironment is the number of bytes of an environment that are searched for the mark. Linux
// limits environments to a quarter of the stack, 2 MiB by default.
const maxEnvironment = 2 << 20

// WithMark returns the environment with the mark of a program that is about to be started.
func WithMark(environment []string, mark string) []string {
	return append(environment, markVariable+"="+mark)
}

// markOf returns the mark in the initial environment of a process. It returns "" if the environment has no mark or
// belongs to another user.
func markOf(pid int) string {
	file, err := os.Open(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return ""
	}
	defer file.Close() //nolint:errcheck // it was only read from
	environment, err := io.ReadAll(io.LimitReader(file, maxEnvironment))
	if err != nil {
		return "" // the process ended meanwhile
	}
	for entry := range bytes.SplitSeq(environment, []byte{0}) {
		if mark, ok := bytes.CutPrefix(entry, []byte(markVariable+"=")); ok {
			return string(mark)
		}
	}
	return ""
}

// Resident returns how many bytes of memory the processes of the list use together. Memory that several of
// them share counts for each. Known is false if none of them is left.
func (l List) Resident() (size int64, known bool) {
	for _, process := range l {
		// The second field is the resident size in pages (proc_pid_statm(5)).
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", process.PID))
		fields := bytes.Fields(text)
		if err != nil || len(fields) < 2 {
			continue // it ended
		}
		pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
		if err != nil {
			continue
		}
		size, known = size+pages*int64(os.Getpagesize()), true
	}
	return size, known
}
