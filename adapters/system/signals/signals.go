package signals

import (
	"context"
	"os"
	"os/signal"
)

// Until returns a context that the first terminating signal cancels, and another one that the second
// signal cancels. A signal that comes while the program is already exiting still counts as the first:
// only the second kills servers that are still exiting.
func Until(ctx context.Context) (first, second context.Context, stop func()) {
	first, second, s := newServing(ctx)
	s.receive(func(os.Signal) bool { return true })
	return first, second, s.Stop
}

// Serving receives the signals to a program that serves hosts.
type Serving struct {
	// Reloads has the signals that ask to reload. While one was not received yet, later ones are dropped.
	Reloads chan os.Signal

	cancelFirst, cancelSecond context.CancelFunc
	stopped                   <-chan struct{} // closed by cancelSecond
	received                  chan struct{}   // closed when all signals are being received
}

// HangupReloads says that a hangup (SIGHUP) asks to reload, unless the program has lost its terminal. If false, a
// hangup terminates.
type HangupReloads bool

// Listen returns contexts like those of Until, and begins to receive signals without waiting for that. Creating
// the threads that signals need takes a tenth of the time of a start, so the program prepares itself meanwhile
// and calls Wait before it serves. Until then a signal may have its default effect.
func Listen(ctx context.Context, hangupReloads HangupReloads) (first, second context.Context, serving *Serving) {
	first, second, s := newServing(ctx)
	go func() {
		terminates := func(os.Signal) bool { return true }
		if hangupReloads {
			terminates = exceptHangups()
		}
		s.receive(terminates)
		if len(reloading) > 0 { // an empty list would mean all signals
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

// Wait waits until all signals are being received.
func (s *Serving) Wait() { <-s.received }

// Stop cancels both contexts.
func (s *Serving) Stop() {
	s.cancelFirst()
	s.cancelSecond()
}

// receive begins to receive signals. Those that terminate cancel the contexts; others are sent to Reloads.
func (s *Serving) receive(terminates func(os.Signal) bool) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, ending...)
	// If a host is gone, a write to it must fail and not kill the program, since the servers
	// have to be stopped.
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
