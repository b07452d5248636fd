package application

import (
	"sync"
	"time"
)

// idleness notices that nobody uses a server for a while. It counts everything
// that the server is needed for: calls and requests, questions that it asks,
// subscriptions and tasks. A nil idleness counts nothing. Safe for concurrent use.
type idleness struct {
	limit  time.Duration
	expire func() // called once, when the limit ran out

	mu    sync.Mutex
	uses  int
	held  map[string]bool
	timer *time.Timer // nil before start
	since time.Time   // when it was used last
	ended bool
}

// newIdleness returns nil when the limit is 0: the server is never idle.
func newIdleness(limit time.Duration, expire func()) *idleness {
	if limit <= 0 {
		return nil
	}
	return &idleness{limit: limit, expire: expire, held: map[string]bool{}}
}

// start begins the watch.
func (i *idleness) start() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.since = time.Now()
	i.timer = time.AfterFunc(i.limit, i.ring)
}

// stop ends the watch.
func (i *idleness) stop() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.timer.Stop()
}

// enter notes the begin of a use, unless it comes too late.
func (i *idleness) enter() bool {
	if i == nil {
		return true
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.ended {
		i.uses++
	}
	return !i.ended
}

// leave notes the end of a use.
func (i *idleness) leave() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.uses--
	i.rest()
}

// hold notes that the server is needed for something with a name until release.
func (i *idleness) hold(what string) {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.held[what] = true
}

// release ends a hold.
func (i *idleness) release(what string) {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.held, what)
	i.rest()
}

// rest begins the time without use anew. The lock is held.
func (i *idleness) rest() {
	if i.timer != nil && i.uses == 0 && len(i.held) == 0 {
		i.since = time.Now()
		i.timer.Reset(i.limit)
	}
}

// ring ends the watch if the server was not used for as long as the limit says. If
// it is not used but was a moment ago, the rest of the time is waited for.
func (i *idleness) ring() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended || i.uses > 0 || len(i.held) > 0 {
		return
	}
	if rest := i.limit - time.Since(i.since); rest > 0 {
		i.timer.Reset(rest)
		return
	}
	i.ended = true
	go i.expire()
}
