package ownprocess

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"time"
)

// rounds is how long signals of other kinds count as one wish to end.
const rounds = time.Second

// Heard remembers the terminating signals that came. The zero value has heard none. It is not safe for concurrent use.
//
// Decision: a host that sends SIGINT, SIGTERM and SIGKILL in half a second, as Claude Code does, wants servers to end as
// if it had started them itself, and each of its signals is to reach the programs that do not know the one before. So a
// signal of another kind within a second of the first is no second wish. Ctrl-C twice is.
type Heard struct {
	first time.Time
	kinds []os.Signal
}

// IsWish reports whether a signal that comes now is one more wish to end.
func (h *Heard) IsWish(got os.Signal, now time.Time) bool {
	isFirst, isAgain := h.kinds == nil, slices.Contains(h.kinds, got)
	if isFirst {
		h.first = now
	}
	h.kinds = append(h.kinds, got)
	return isFirst || isAgain || now.Sub(h.first) >= rounds
}

// UntilSignal returns a context that the first terminating signal cancels, and another one that the second
// wish to end cancels (see Heard). A signal that comes while the program is already exiting still counts as the first:
// only the second kills servers that are still exiting.
func UntilSignal(ctx context.Context) (first, second context.Context, stop func()) {
	first, second, s := listen(ctx, func(os.Signal) bool { return true })
	return first, second, s.Stop
}

// Serving receives the signals to a program that serves hosts.
type Serving struct {
	// Reloads has the signals that ask to reload. While one was not received yet, later ones are dropped.
	Reloads chan os.Signal

	cancelFirst, cancelSecond context.CancelFunc
	stopped                   <-chan struct{} // closed by cancelSecond
}

// HangupReloads says that a hangup (SIGHUP) asks to reload, unless the program has lost its terminal. If false, a
// hangup terminates.
type HangupReloads bool

// ListenForSignals returns contexts like those of UntilSignal, and also receives the signals that ask to reload.
func ListenForSignals(ctx context.Context, hangupReloads HangupReloads) (first, second context.Context, serving *Serving) {
	terminates := func(os.Signal) bool { return true }
	if hangupReloads {
		terminates = exceptHangups()
	}
	first, second, serving = listen(ctx, terminates)
	if len(reloading) > 0 { // an empty list would mean all signals
		signal.Notify(serving.Reloads, reloading...)
	}
	return first, second, serving
}

// Stop cancels both contexts.
func (s *Serving) Stop() {
	s.cancelFirst()
	s.cancelSecond()
}

// listen begins to receive signals. Those that terminate cancel the contexts; others are sent to Reloads.
func listen(ctx context.Context, terminates func(os.Signal) bool) (first, second context.Context, s *Serving) {
	s = &Serving{Reloads: make(chan os.Signal, 1)}
	first, s.cancelFirst = context.WithCancel(ctx)
	second, s.cancelSecond = context.WithCancel(ctx)
	s.stopped = second.Done()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, ending...)
	// If a host is gone, a write to it must fail and not kill the program, since the servers
	// have to be stopped.
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, brokenPipe...)
	go func() {
		var heard Heard
		for ends := []context.CancelFunc{s.cancelFirst, s.cancelSecond}; len(ends) > 0; {
			select {
			case got := <-signals:
				if terminates(got) {
					if heard.IsWish(got, time.Now()) {
						ends[0]()
						ends = ends[1:]
					}
					continue
				}
				select {
				case <-s.Reloads: // one reload is enough, but a hangup asks for more than other signals
				default:
				}
				select {
				case s.Reloads <- got:
				default:
				}
			case <-s.stopped:
				return
			}
		}
	}()
	return first, second, s
}
