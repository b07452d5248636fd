package ownprocess

import (
	"bytes"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// KeepDescriptors keeps the descriptors that this process inherited, except for 0 to 2, from the programs that it
// starts. The standard library does so only for those that it opens. It must be called before any program is started.
func KeepDescriptors() {
	if unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC) != nil { // Linux before 5.11
		closeEachOnExec()
	}
}

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
