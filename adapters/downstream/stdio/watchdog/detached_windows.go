package watchdog

import "syscall"

func detached() *syscall.SysProcAttr { return nil }
