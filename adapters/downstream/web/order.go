package web

import (
	"context"
	"sync"
)

// Order keeps messages that travel on connections of their own in an order where
// that counts, as on a pipe: whatever shapes a session arrives before what is sent
// after it. Safe for concurrent use.
type Order struct {
	mu   sync.Mutex
	last Place // of the last message that others wait for
}

// Place is a message's place in the order.
type Place struct {
	before    <-chan struct{} // closed when everything before it has arrived; nil for nothing
	delivered chan struct{}   // nil when nobody waits for the message
}

// First takes the next place for a message that all later ones wait for, until
// Arrived is called.
func (o *Order) First() Place {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = Place{before: o.last.delivered, delivered: make(chan struct{})}
	return o.last
}

// Next takes the next place for a message that none waits for.
func (o *Order) Next() Place {
	o.mu.Lock()
	defer o.mu.Unlock()
	return Place{before: o.last.delivered}
}

// Wait returns when everything before has arrived, and reports whether the context
// lasted that long.
func (p Place) Wait(ctx context.Context) bool {
	if p.before == nil {
		return true
	}
	select {
	case <-p.before:
		return true
	case <-ctx.Done():
		return false
	}
}

// Arrived says that the message has arrived, or will not.
func (p Place) Arrived() {
	if p.delivered != nil {
		close(p.delivered)
	}
}
