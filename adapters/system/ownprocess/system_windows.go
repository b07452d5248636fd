package ownprocess

import (
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// KeepDescriptors does nothing on this system, where programs get only the handles that are named for them.
func KeepDescriptors() {}

// WithoutWindow hides the console window that Windows opens for a program if this process has no console.
func WithoutWindow(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{HideWindow: true}
}

// memoryCounters is PROCESS_MEMORY_COUNTERS of psapi.h.
type memoryCounters struct {
	size, pageFaults                                 uint32
	peakWorkingSet, workingSet                       uintptr
	peakPagedPool, pagedPool, peakNonPaged, nonPaged uintptr
	pagefile, peakPagefile                           uintptr
}

var processMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// Read returns the present figures of this process. Safe for concurrent use.
func Read() Figures {
	var figures Figures
	var created, exited, kernel, user windows.Filetime
	process := windows.CurrentProcess()
	if windows.GetProcessTimes(process, &created, &exited, &kernel, &user) == nil {
		figures.Processor = spent(kernel) + spent(user)
	}
	counters := memoryCounters{size: uint32(unsafe.Sizeof(memoryCounters{}))}
	if processMemoryInfo.Find() == nil {
		if ok, _, _ := processMemoryInfo.Call(uintptr(process), uintptr(unsafe.Pointer(&counters)), uintptr(counters.size)); ok != 0 {
			figures.Resident, figures.Virtual = int64(counters.workingSet), int64(counters.pagefile)
		}
	}
	return figures
}

// spent converts a duration that Windows counts in units of 100 ns.
func spent(counted windows.Filetime) time.Duration {
	return time.Duration(uint64(counted.HighDateTime)<<32|uint64(counted.LowDateTime)) * 100
}
