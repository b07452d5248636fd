package signals

import (
	"os"
	"os/signal"
)

// OnInterrupt calls a function at each interrupt (Ctrl-C), from its own goroutine, until the program
// ends. If interrupts are ignored, as in a background job of a shell, they stay ignored.
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
