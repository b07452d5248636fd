package signals

import (
	"context"
	"os"
	"os/signal"
)

// Until returns a context that the first terminating signal cancels, and one that the second
// cancels. A signal that comes while the program is already exiting counts as the first: only the
// second kills servers that are still exiting.
func Until(ctx context.Context) (first, second context.Context, stop func()) {
	first, second, s := newServing(ctx)
	s.receive(func(os.Signal) bool { return true })
	return first, second, s.Stop
}

// Serving has what signals ask of a program that serves hosts.
type Serving struct {
	// Reloads has the signals that ask to reload. One that was not received yet stands for later ones.
	Reloads chan os.Signal

	cancelFirst, cancelSecond context.CancelFunc
	stopped                   <-chan struct{} // closed by cancelSecond
	received                  chan struct{}   // closed once signals are received
}

// HangupReloads says that a hangup (SIGHUP) asks to reload, unless the terminal of the program is gone. Otherwise
// it terminates.
type HangupReloads bool

// Listen returns contexts as Until does, begins to receive signals and does not wait for that. The threads
// that signals need take a tenth of the time of a start, so the program prepares itself meanwhile and calls
// Wait before it serves. Until then a signal may have the effect that it has on any program.
func Listen(ctx context.Context, hangupReloads HangupReloads) (first, second context.Context, serving *Serving) {
	first, second, s := newServing(ctx)
	go func() {
		terminates := func(os.Signal) bool { return true }
		if hangupReloads {
			terminates = exceptHangups()
		}
		s.receive(terminates)
		if len(reloading) > 0 { // none would mean all
			signal.Notify(s.Reloads, reloading...)
		}
		close(s.received)
	}()
	return first, second, s
}

func newServing(ctx context.Context) (first, second context.Context, s *Serving) {
	s = &Serving{Reloads: make(chan os.Signal, 1), received: make(chan struct{})}
	first, s.cancelFirst = context.WithCancel(ctx)
	second, s.cancelSecond = context.WithCancel(ctx)
	s.stopped = second.Done()
	return first, second, s
}

// Wait returns once all signals are received.
func (s *Serving) Wait() { <-s.received }

// Stop ends both contexts.
func (s *Serving) Stop() {
	s.cancelFirst()
	s.cancelSecond()
}

// receive has signals that terminate cancel the contexts, and passes other ones to Reloads.
func (s *Serving) receive(terminates func(os.Signal) bool) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, ending...)
	// A write to a host that is gone must fail and not kill the program, since the
	// servers have to be stopped.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, brokenPipe...)
	go func() {
		for ends := []context.CancelFunc{s.cancelFirst, s.cancelSecond}; len(ends) > 0; {
			select {
			case got := <-signals:
				if terminates(got) {
					ends[0]()
					ends = ends[1:]
					continue
				}
				select {
				case s.Reloads <- got:
				default: // the reload that is due is enough
				}
			case <-s.stopped:
				return
			}
		}
	}()
}
