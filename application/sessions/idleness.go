package sessions

import (
	"sync"
	"time"
)

// idleness notices when a server has not been used for a while. It counts all uses: calls and
// requests in both directions, subscriptions and tasks. A nil idleness counts nothing. Safe for concurrent use.
type idleness struct {
	limit time.Duration

	mu     sync.Mutex // guards the fields below
	uses   int
	held   map[string]time.Time // when each hold ends, zero for one that has to be released
	timer  *time.Timer          // nil before start
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
	if i.ended || i.uses > 0 {
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
