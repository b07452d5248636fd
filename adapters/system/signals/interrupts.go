package signals

import (
	"os"
	"os/signal"
)

// OnInterrupt calls a function at each interrupt (Ctrl-C), from its own goroutine, until the program
// ends. If interrupts are ignored, as in a background job of a shell, they stay ignored.
//
// settle waits until the function has returned for every interrupt that came before. It must not be called from the
// function, or twice at a time.
func OnInterrupt(do func()) (settle func()) {
	if signal.Ignored(os.Interrupt) {
		return func() {}
	}
	finish := listenToInterrupts(do)
	return func() {
		before := finish
		finish = listenToInterrupts(do)
		before()
	}
}

func listenToInterrupts(do func()) (finish func()) {
	interrupts, finished := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		defer close(finished)
		for range interrupts {
			do()
		}
	}()
	return func() {
		signal.Stop(interrupts) // nothing is sent to it afterwards
		close(interrupts)
		<-finished
	}
}
