package ownprocess

import (
	"os"
	"syscall"
)

var (
	ending = []os.Signal{syscall.SIGTERM, os.Interrupt}
	// reloading is empty: on Windows only a change of the file reloads the configuration.
	reloading []os.Signal
	// brokenPipe is a signal that Windows never sends; an empty list would mean all signals.
	brokenPipe = []os.Signal{syscall.SIGPIPE}
)

// BeforeEnd does nothing: on Windows, events that end a process also close its console.
func BeforeEnd(func()) (stop func()) { return func() {} }

// exceptHangups returns a function that is always true: Windows has no such signal.
func exceptHangups() func(os.Signal) bool {
	return func(os.Signal) bool { return true }
}
