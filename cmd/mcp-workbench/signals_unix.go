//go:build unix

package main

import (
	"os"
	"syscall"
)

var (
	endingSignals = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	reloadSignals = []os.Signal{syscall.SIGUSR1}
	brokenPipe    = []os.Signal{syscall.SIGPIPE}
)
