package signals

import (
	"os"
	"syscall"
)

var (
	ending = []os.Signal{syscall.SIGTERM, os.Interrupt}
	// reloading is empty: there only a change of the file reloads it.
	reloading []os.Signal
	// brokenPipe is a signal that never comes there; none would mean all.
	brokenPipe = []os.Signal{syscall.SIGPIPE}
)

// BeforeEnd does nothing: what ends a process there closes its console as well.
func BeforeEnd(func()) (stop func()) { return func() {} }

// exceptHangups returns a function that is always true: there is no such signal there.
func exceptHangups() func(os.Signal) bool {
	return func(os.Signal) bool { return true }
}
