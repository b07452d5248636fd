package web

import (
	"context"
	"sync"
)

// Sequencer keeps messages on separate connections in order where the order counts,
// as a pipe does: a message that shapes a session arrives before those sent after it. Safe for concurrent use.
type Sequencer struct {
	mu   sync.Mutex
	last Ticket // the last one from Barrier
}

// Ticket is a message's place in the order.
type Ticket struct {
	before <-chan struct{} // closed when everything before it has arrived; nil for nothing
	done   chan struct{}   // nil when nobody waits for the message
}

// Barrier returns a ticket; every later ticket waits until this one is Done.
func (s *Sequencer) Barrier() Ticket {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = Ticket{before: s.last.done, done: make(chan struct{})}
	return s.last
}

// Ticket returns a ticket that no other one waits for.
func (s *Sequencer) Ticket() Ticket {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Ticket{before: s.last.done}
}

// Wait waits until everything before has arrived. It reports false if the context
// ended first.
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

// Done says that the message has arrived, or will not.
func (t Ticket) Done() {
	if t.done != nil {
		close(t.done)
	}
}
