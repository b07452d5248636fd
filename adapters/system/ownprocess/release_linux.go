package ownprocess

import (
	"bufio"
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// ReleaseCode releases the pages of the program's code and constants that this process has read. Those that it still
// uses are read again, usually from memory, since the system caches the file. So a process that needs much of the
// program at its start and little of it later does not stay large. Safe for concurrent use.
func ReleaseCode() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	mappings, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = mappings.Close() }() // it was only read
	var begin, end uint64                   // the addresses of a read-only mapping of the program
	for lines := bufio.NewScanner(mappings); lines.Scan(); {
		line := lines.Bytes()
		if from, to, ok := readOnly(line, program); ok {
			begin, end = from, to
		} else if dirty, found := bytes.CutPrefix(line, []byte("Private_Dirty:")); found {
			if begin < end && string(bytes.TrimSpace(dirty)) == "0 kB" { // pages that differ from the file would be lost
				_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(begin), uintptr(end-begin), unix.MADV_DONTNEED)
			}
			begin, end = 0, 0
		}
	}
}

// readOnly returns the addresses of a read-only mapping of the program, if a line of smaps begins one.
func readOnly(line []byte, program string) (begin, end uint64, ok bool) {
	fields := bytes.Fields(line)
	if len(fields) < 6 || string(fields[5]) != program || !bytes.HasPrefix(fields[1], []byte("r-")) {
		return 0, 0, false
	}
	from, to, _ := bytes.Cut(fields[0], []byte("-"))
	begin, errBegin := strconv.ParseUint(string(from), 16, 64)
	end, errEnd := strconv.ParseUint(string(to), 16, 64)
	return begin, end, errBegin == nil && errEnd == nil
}
