package main

import (
	"os"
	"syscall"
)

var (
	endingSignals = []os.Signal{syscall.SIGTERM, os.Interrupt}
	// brokenPipe is a signal that never comes there; none would mean all.
	brokenPipe = []os.Signal{syscall.SIGPIPE}
)
