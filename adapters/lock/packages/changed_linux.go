package packages

import "syscall"

func changeTime(status *syscall.Stat_t) syscall.Timespec { return status.Ctim }
