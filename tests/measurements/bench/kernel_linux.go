package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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

// children counts the processes of a program that a process started.
func children(pid int, program string) (count int, err error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return 0, err
	}
	for _, task := range tasks {
		started, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		for child := range bytes.FieldsSeq(started) {
			if running, err := os.Readlink("/proc/" + string(child) + "/exe"); err == nil && running == program {
				count++
			}
		}
	}
	return count, nil
}

// cpuSet is one bit for each of the first 1,024 CPUs.
type cpuSet [16]uint64

// oneCPU moves this process, and all processes that it starts afterwards, to one
// CPU. The returned function undoes that.
func oneCPU() (restore func(), err error) {
	var before, single cpuSet
	if err := affinity(syscall.SYS_SCHED_GETAFFINITY, 0, &before); err != nil {
		return nil, err
	}
	// The last one: the first is often the one that serves interrupts.
	for cpu := len(before)*64 - 1; cpu >= 0; cpu-- {
		if before[cpu/64]&(1<<(cpu%64)) != 0 {
			single[cpu/64] = 1 << (cpu % 64)
			break
		}
	}
	if err := moveThreads(&single); err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(1)
	return func() {
		_ = moveThreads(&before) // it was allowed a moment ago
		runtime.SetDefaultGOMAXPROCS()
	}, nil
}

// moveThreads moves every thread. A new thread inherits the CPUs of its creator, so
// the second pass finds those created during the first.
func moveThreads(set *cpuSet) error {
	for range 2 {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return err
		}
		for _, task := range tasks {
			tid, err := strconv.Atoi(task.Name())
			if err != nil {
				return err
			}
			if err := affinity(syscall.SYS_SCHED_SETAFFINITY, tid, set); err != nil && !errors.Is(err, syscall.ESRCH) {
				return err
			}
		}
	}
	return nil
}

func affinity(call uintptr, tid int, set *cpuSet) error {
	_, _, errno := syscall.RawSyscall(call, uintptr(tid), unsafe.Sizeof(*set), uintptr(unsafe.Pointer(set)))
	if errno != 0 {
		return errno
	}
	return nil
}
