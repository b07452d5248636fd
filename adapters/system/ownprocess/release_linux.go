package ownprocess

import (
	"bufio"
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// ReleaseCode gives back the pages of the program's code and constants that this process has read. Those that it
// still uses are read again, from memory as a rule, since the system keeps the file there. A process that needs much
// of the program at its start and little later does not count as large then. Safe for concurrent use.
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
	var begin, end uint64                   // of a mapping of the program that nothing can write to
	for lines := bufio.NewScanner(mappings); lines.Scan(); {
		line := lines.Bytes()
		if from, to, isOne := readOnly(line, program); isOne {
			begin, end = from, to
		} else if dirty, found := bytes.CutPrefix(line, []byte("Private_Dirty:")); found {
			if begin < end && string(bytes.TrimSpace(dirty)) == "0 kB" { // a page that is not as in the file would be lost
				_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(begin), uintptr(end-begin), unix.MADV_DONTNEED)
			}
			begin, end = 0, 0
		}
	}
}

// readOnly returns the addresses of a mapping of the program that is only read, if a line of smaps begins one.
func readOnly(line []byte, program string) (begin, end uint64, isOne bool) {
	fields := bytes.Fields(line)
	if len(fields) < 6 || string(fields[5]) != program || !bytes.HasPrefix(fields[1], []byte("r-")) {
		return 0, 0, false
	}
	from, to, _ := bytes.Cut(fields[0], []byte("-"))
	begin, errBegin := strconv.ParseUint(string(from), 16, 64)
	end, errEnd := strconv.ParseUint(string(to), 16, 64)
	return begin, end, errBegin == nil && errEnd == nil
}
