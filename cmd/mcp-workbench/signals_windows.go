package main

import (
	"os"
	"syscall"
)

var (
	endingSignals = []os.Signal{syscall.SIGTERM, os.Interrupt}
	// reloadSignals are none: there only a change of the file makes it read again.
	reloadSignals []os.Signal
	// brokenPipe is a signal that never comes there; none would mean all.
	brokenPipe = []os.Signal{syscall.SIGPIPE}
)
