package sessions

import (
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/ports"
)

// endCause is why a session ended.
type endCause int

const (
	endLost      endCause = iota // the server went away, or the connection to it
	endIdle                      // the server was not used for a while
	endHung                      // the server stopped answering
	endClosed                    // its toolbox was closed
	endReplaced                  // the server got other settings, or was removed
	endRestarted                 // the user restarts the server
)

// lifetime ends once, when the session can no longer be used, and keeps the first cause. Safe
// for concurrent use.
type lifetime struct {
	session ports.Session
	givenUp chan struct{} // closed when the workbench ends the session

	mu     sync.Mutex
	ended  bool     // givenUp is closed
	cause  endCause // why givenUp was closed; the first cause counts
	reason error    // of endHung
}

func newLifetime(session ports.Session) *lifetime {
	return &lifetime{session: session, givenUp: make(chan struct{})}
}

// isOver reports whether the session can no longer be used.
func (l *lifetime) isOver() bool {
	select {
	case <-l.session.Done():
		return true
	case <-l.givenUp:
		return true
	default:
		return false
	}
}

// wait returns when the session can no longer be used.
func (l *lifetime) wait() {
	select {
	case <-l.session.Done():
	case <-l.givenUp:
	}
}

// end ends the session for a cause, and reports whether it had not been ended before.
// The reason is kept for endHung.
func (l *lifetime) end(cause endCause, reason error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	l.ended, l.cause, l.reason = true, cause, reason
	close(l.givenUp)
	return true
}

// endedBy reports whether the workbench ended the session for that cause.
func (l *lifetime) endedBy(cause endCause) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended && l.cause == cause
}

// failure reports whether the session ended because its server failed, and why. It must
// not be called before the session is over.
func (l *lifetime) failure() (why error, failed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.ended:
		return l.session.Err(), true
	case l.cause == endHung:
		return l.reason, true
	}
	return nil, false
}

// replacedBit is set in a usage once the connection is replaced. The bits below it count
// the uses.
const replacedBit = 1 << 62

// usage counts the uses of a connection, so that a replaced connection can end after its last
// use. The zero value is an unused connection. Safe for concurrent use.
type usage struct{ state atomic.Int64 }

// enter notes that a use begins. It reports false when the connection is replaced;
// leave must be called even then.
func (u *usage) enter() bool { return u.state.Add(1)&replacedBit == 0 }

// leave notes that a use ended, and reports whether it was the last use of a replaced
// connection.
func (u *usage) leave() (last bool) { return u.state.Add(-1) == replacedBit }

// replace lets no more uses begin, and reports whether none is under way.
func (u *usage) replace() (unused bool) { return u.state.Or(replacedBit)&^replacedBit == 0 }

// isDraining reports whether the connection is replaced and still in use.
func (u *usage) isDraining() bool {
	state := u.state.Load()
	return state&replacedBit != 0 && state != replacedBit
}

// idleness notices when a server has not been used for a while. It counts all uses: calls and
// requests in both directions, subscriptions and tasks. A nil idleness counts nothing. Safe for concurrent use.
type idleness struct {
	limit time.Duration

	mu     sync.Mutex // guards the fields below
	uses   int
	held   map[string]time.Time // when each hold ends, zero for one that has to be released
	timer  *time.Timer          // nil before start and after stop
	expire func()               // set with timer; called once, when the limit has run out
	since  time.Time            // when the server was used last
	ended  bool
}

// newIdleness returns nil when the limit is 0, for a server that is never stopped as idle.
func newIdleness(limit time.Duration) *idleness {
	if limit <= 0 {
		return nil
	}
	return &idleness{limit: limit, held: map[string]time.Time{}}
}

// start begins to measure the time without use. Expire is called once, when the limit
// has run out.
func (i *idleness) start(expire func()) {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.since, i.expire = time.Now(), expire
	i.timer = time.AfterFunc(i.limit, i.checkLimit)
}

// stop ends the measurement.
func (i *idleness) stop() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.timer.Stop()
	i.timer = nil // a use that ends later would start it again, and it would keep what ended in memory
}

// enter notes that a use begins. It reports false if the limit has run out.
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

// leave notes that a use ended.
func (i *idleness) leave() {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.uses--
	i.restartLocked()
}

// maxBriefHolds is the number of holds above which no more with a limit begin.
const maxBriefHolds = 1000

// hold keeps the server from being idle until release with the same name, or until the limit has passed, 0 for no
// limit. A hold that is there begins again.
func (i *idleness) hold(name string, limit time.Duration) {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	var end time.Time
	if limit > 0 {
		end = time.Now().Add(limit)
		if _, isThere := i.held[name]; !isThere && len(i.held) >= maxBriefHolds {
			return
		}
	}
	i.held[name] = end
}

// release ends a hold.
func (i *idleness) release(name string) {
	if i == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.held, name)
	i.restartLocked()
}

// restartLocked starts the time without use again.
func (i *idleness) restartLocked() {
	if i.timer != nil && i.uses == 0 {
		i.since = time.Now()
		i.timer.Reset(i.limit)
	}
}

// checkLimit calls expire if the server was not used for the whole limit. If it was
// used more recently, checkLimit waits for the rest of the time.
func (i *idleness) checkLimit() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ended || i.timer == nil || i.uses > 0 {
		return
	}
	if next, isHeld := i.nextEndLocked(); isHeld {
		if !next.IsZero() {
			i.timer.Reset(time.Until(next))
		}
		return
	}
	if rest := i.limit - time.Since(i.since); rest > 0 {
		i.timer.Reset(rest)
		return
	}
	i.ended = true
	go i.expire()
}

// nextEndLocked drops the holds that have ended, which counts as a use until then. It reports whether one is left, and
// returns when the first of them ends, zero if none of them does by itself.
func (i *idleness) nextEndLocked() (next time.Time, isHeld bool) {
	now := time.Now()
	for name, end := range i.held {
		switch {
		case end.IsZero():
		case !end.After(now):
			delete(i.held, name)
			if end.After(i.since) {
				i.since = end
			}
		case next.IsZero() || end.Before(next):
			next = end
		}
	}
	return next, len(i.held) > 0
}
