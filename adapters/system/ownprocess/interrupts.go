package ownprocess

import (
	"os"
	"os/signal"
)

// OnInterrupt calls a function at each interrupt (Ctrl-C), from its own goroutine, until the program
// ends. If interrupts are ignored, as in a background job of a shell, they stay ignored.
//
// settle waits until the function has returned for every interrupt that came before. It must not be called from the
// function.
func OnInterrupt(do func()) (settle func()) { return onSignal(os.Interrupt, do, nil) }

// onSignal is OnInterrupt for a signal, until end is closed.
func onSignal(wanted os.Signal, do func(), end <-chan struct{}) (settle func()) {
	if signal.Ignored(wanted) {
		return func() {}
	}
	heard, settling := make(chan os.Signal, 1), make(chan chan<- struct{})
	signal.Notify(heard, wanted)
	go func() {
		for {
			select {
			case <-heard:
				do()
			case settled := <-settling:
				if len(heard) > 0 {
					<-heard
					do()
				}
				close(settled)
			case <-end:
				return
			}
		}
	}()
	return func() {
		awaitArrived(wanted)
		settled := make(chan struct{})
		settling <- settled
		<-settled
	}
}

// awaitArrived waits until each signal that came before is in all channels. Stop does that for the channel that it is
// given, since signals arrive in all channels at the same time.
func awaitArrived(wanted os.Signal) {
	arrived := make(chan os.Signal, 1)
	signal.Notify(arrived, wanted)
	signal.Stop(arrived)
}
