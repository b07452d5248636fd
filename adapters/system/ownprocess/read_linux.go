package ownprocess

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Read returns the present figures of this process, which it reads in /proc. Safe for concurrent use.
func Read() Figures {
	figures := Figures{Processor: processor(), MaxFiles: maxFiles()}
	if pages, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := bytes.Fields(pages); len(fields) > 1 {
			figures.Virtual, figures.Resident = memory(fields[0]), memory(fields[1])
		}
	}
	if directory, err := os.Open("/proc/self/fd"); err == nil {
		names, _ := directory.Readdirnames(-1) // names that were read before an error count
		_ = directory.Close()                  // it was only read
		figures.OpenFiles = max(0, int64(len(names))-1)
	}
	return figures
}

// memory returns a number of pages in bytes.
func memory(pages []byte) int64 {
	number, err := strconv.ParseInt(string(pages), 10, 64)
	if err != nil {
		return 0
	}
	return number * int64(os.Getpagesize())
}

func maxFiles() int64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int64(min(limit.Cur, 1<<62))
}
