package processtree

import (
	"io"
	"syscall"
)

// RunWatchdog does nothing: on Windows the job object of a server ends its processes.
func RunWatchdog(io.Reader) {}

func detached() *syscall.SysProcAttr { return nil }
