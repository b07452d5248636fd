package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// cpuTime returns the CPU time, user and system, of all threads of a process so
// far, without its children. It reads the CPU clock of the process, since
// the files under /proc count in ticks of 10 ms.
func cpuTime(pid int) (time.Duration, error) {
	const processClock = 2 // CPUCLOCK_SCHED, of the process and not of one thread
	clock := ^pid<<3 | processClock
	var spec syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&spec)), 0)
	if errno != 0 {
		return 0, fmt.Errorf("CPU clock of process %d: %w", pid, errno)
	}
	return time.Duration(spec.Nano()), nil
}

// memory returns how much RAM a process uses now and its peak, in
// bytes.
func memory(pid int) (now, peak float64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range bytes.Lines(status) {
		fields := bytes.Fields(line)
		if len(fields) != 3 {
			continue
		}
		switch string(fields[0]) {
		case "VmRSS:":
			now, err = strconv.ParseFloat(string(fields[1]), 64)
		case "VmHWM:":
			peak, err = strconv.ParseFloat(string(fields[1]), 64)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return now * 1024, peak * 1024, nil
}

// countThreads counts the threads of a process.
func countThreads(pid int) (int, error) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	return len(tasks), err
}
