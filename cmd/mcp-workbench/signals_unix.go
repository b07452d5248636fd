//go:build unix

package main

import (
	"os"
	"syscall"
)

var (
	endingSignals = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP}
	brokenPipe    = []os.Signal{syscall.SIGPIPE}
)
