package web

import (
	"context"
	"sync"
	"time"
)

// Sequencer keeps messages on separate connections in order where the order counts: a message that
// shapes a session arrives before those sent after it. Safe for concurrent use.
type Sequencer struct {
	mu   sync.Mutex
	last Ticket // that Barrier returned
}

// Ticket is a message's place in the order.
type Ticket struct {
	before <-chan struct{} // closed when everything before has arrived; nil if nothing is before
	done   chan struct{}   // nil if no message waits for this one
}

// Barrier returns a ticket that every later ticket waits for.
func (s *Sequencer) Barrier() Ticket {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = Ticket{before: s.last.done, done: make(chan struct{})}
	return s.last
}

// Ticket returns a ticket that no other ticket waits for.
func (s *Sequencer) Ticket() Ticket {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Ticket{before: s.last.done}
}

// Wait waits until everything before has arrived. It returns false if the context ends first.
func (t Ticket) Wait(ctx context.Context) bool {
	if t.before == nil {
		return true
	}
	select {
	case <-t.before:
		return true
	case <-ctx.Done():
		return false
	}
}

// Within returns a function that calls Done once, and calls it itself after the limit: later messages do not wait
// for one that the server took and does not answer.
func (t Ticket) Within(limit time.Duration) (done func()) {
	if t.done == nil {
		return func() {}
	}
	once := sync.OnceFunc(t.Done)
	timer := time.AfterFunc(limit, once)
	return func() {
		timer.Stop()
		once()
	}
}

// Done reports that the message has arrived, or never will.
func (t Ticket) Done() {
	if t.done != nil {
		close(t.done)
	}
}
