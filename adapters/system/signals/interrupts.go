package signals

import (
	"os"
	"os/signal"
)

// OnInterrupt calls a function at each interrupt (Ctrl-C), from a goroutine of its own, until the program
// ends. A background job of a shell that ignores interrupts goes on ignoring them.
func OnInterrupt(do func()) {
	if signal.Ignored(os.Interrupt) {
		return
	}
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		for range interrupts {
			do()
		}
	}()
}
