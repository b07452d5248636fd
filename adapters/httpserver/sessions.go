package httpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"mcp-workbench/adapters/httpserver/access"
)

const (
	// idleAfter is how long a session must be unused to make room for another one when
	// there are too many. Most hosts end without a DELETE, and then a new one must get in. It
	// is as long as a person can take to answer a question (limits.inputReply).
	idleAfter = 10 * time.Minute
	// sessionLife is how long an unused session is kept: a host that comes back within a day
	// goes on where it was.
	sessionLife = 24 * time.Hour
)

// Failures to begin a session.
var (
	errTooManySessions = errors.New("too many sessions at once; try again later, or have the operator raise http.maxSessions")
	errTooManyOfOne    = errors.New(
		"too many sessions at once of one token or subject; try again later, or have the operator raise http.maxSessionsPerIdentity")
	errDraining = errors.New("the workbench is shutting down")
)

// Want describes the host that a workbench is made for.
type Want struct {
	// Access is what the caller of the host can do.
	Access access.Access
	// Modern is set for hosts of 2026-07-28, which have no session of the protocol: several
	// programs may count as one host.
	Modern bool
}

// Limits bound what grows with the number of hosts.
type Limits struct {
	// Sessions is how many sessions there can be at once, SessionsPerIdentity how many of them
	// one identity can have if callers authenticate; 0 for no limit.
	Sessions, SessionsPerIdentity int
	// MessageSize is the largest message in bytes.
	MessageSize int64
}

// peer tells hosts of 2026-07-28 apart.
type peer struct{ identity, clientName, capabilities string }

// sessions are those of all hosts. Safe for concurrent use.
type sessions struct {
	open   func(Want) *Host
	limits Limits
	kept   keptStreams

	mu       sync.Mutex
	byID     map[string]*session
	byPeer   map[peer]*session
	draining bool
	ending   sync.WaitGroup // sessions that were removed and are not gone yet
	streams  sync.WaitGroup // streams that left their handlers
}

func newSessions(open func(Want) *Host, limits Limits) *sessions {
	return &sessions{open: open, limits: limits, byID: map[string]*session{}, byPeer: map[peer]*session{}}
}

// begin begins the session of a host that makes a handshake.
func (t *sessions) begin(caller access.Access) (*session, error) {
	s := newSession(rand.Text(), caller, &t.kept, time.Now())
	t.mu.Lock()
	err := t.addLocked(s, func() { t.byID[s.id] = s })
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	t.connect(s)
	return s, nil
}

// ofPeer returns the session of a host without a handshake, and begins it if there is none.
func (t *sessions) ofPeer(p peer, caller access.Access) (*session, error) {
	t.mu.Lock()
	s := t.byPeer[p]
	if s != nil {
		s.touch()
		t.mu.Unlock()
		<-s.ready
		return s, nil
	}
	s = newSession("", caller, &t.kept, time.Now())
	err := t.addLocked(s, func() { t.byPeer[p] = s })
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	t.connect(s)
	return s, nil
}

// find returns the session of that id, if it belongs to the identity.
func (t *sessions) find(id, identity string) *session {
	t.mu.Lock()
	s := t.byID[id]
	t.mu.Unlock()
	if s == nil || s.access.Identity != identity {
		return nil
	}
	s.touch()
	<-s.ready
	return s
}

// connect makes the host of a session that was added.
func (t *sessions) connect(s *session) {
	s.connect(context.Background(), t.open(Want{Access: s.access, Modern: s.isModern()}))
}

// addLocked adds a session if there is room for one, or if a session that was unused for long
// makes room.
func (t *sessions) addLocked(s *session, add func()) error {
	if t.draining {
		return errDraining
	}
	ofIdentity := func(other *session) bool { return other.access.Identity == s.access.Identity }
	every := func(*session) bool { return true }
	perIdentity := t.limits.SessionsPerIdentity
	if s.access.Identity == "" {
		perIdentity = 0
	}
	for _, limit := range []struct {
		max     int
		fits    func(*session) bool
		tooMany error
	}{{perIdentity, ofIdentity, errTooManyOfOne}, {t.limits.Sessions, every, errTooManySessions}} {
		if limit.max <= 0 {
			continue
		}
		count, unused := t.lookLocked(limit.fits)
		if count < limit.max {
			continue
		}
		if unused == nil {
			return limit.tooMany
		}
		t.removeLocked(unused)
	}
	add()
	s.life = time.AfterFunc(sessionLife, func() { t.expire(s) })
	return nil
}

// lookLocked counts sessions, and returns the one that was unused for longest, if that is long
// enough to end it.
func (t *sessions) lookLocked(fits func(*session) bool) (count int, unused *session) {
	var since time.Time
	for s := range t.allLocked() {
		if !fits(s) {
			continue
		}
		count++
		last, used := s.idleSince()
		if !used && time.Since(last) >= idleAfter && (unused == nil || last.Before(since)) {
			unused, since = s, last
		}
	}
	return count, unused
}

// allLocked visits every session.
func (t *sessions) allLocked() func(yield func(*session) bool) {
	return func(yield func(*session) bool) {
		for _, s := range t.byID {
			if !yield(s) {
				return
			}
		}
		for _, s := range t.byPeer {
			if !yield(s) {
				return
			}
		}
	}
}

// removeLocked removes a session and ends it. It returns false if it was removed before.
func (t *sessions) removeLocked(s *session) bool {
	removed := false
	if t.byID[s.id] == s {
		delete(t.byID, s.id)
		removed = true
	}
	for p, other := range t.byPeer {
		if other == s {
			delete(t.byPeer, p)
			removed = true
		}
	}
	if removed {
		s.life.Stop()
		t.ending.Go(s.end)
	}
	return removed
}

// end ends a session. It does not wait for its servers.
func (t *sessions) end(s *session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.removeLocked(s)
}

// endAll ends the sessions that fit.
func (t *sessions) endAll(fits func(access.Access) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var found []*session
	for s := range t.allLocked() {
		if fits(s.access) {
			found = append(found, s)
		}
	}
	for _, s := range found {
		t.removeLocked(s)
	}
}

// expire ends a session that was unused for its life, or sets its timer to when that can be.
func (t *sessions) expire(s *session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last, used := s.idleSince()
	rest := sessionLife - time.Since(last)
	switch {
	case used:
		s.life.Reset(sessionLife)
	case rest > 0:
		s.life.Reset(rest)
	default:
		t.removeLocked(s)
	}
}

// count returns how many sessions an identity has.
func (t *sessions) count(identity string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	count, _ := t.lookLocked(func(s *session) bool { return s.access.Identity == identity })
	return count
}

func (t *sessions) isDraining() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.draining
}

// drain refuses sessions and requests from now on, and waits until those under way are
// answered or the context ends.
func (t *sessions) drain(ctx context.Context) {
	t.mu.Lock()
	t.draining = true
	var all []*session
	for s := range t.allLocked() {
		all = append(all, s)
	}
	t.mu.Unlock()
	var waiting sync.WaitGroup
	for _, s := range all {
		waiting.Go(func() {
			<-s.ready
			s.receiver.Wait(ctx)
		})
	}
	waiting.Wait()
}

// close ends every session and returns when nothing is left of them.
func (t *sessions) close() {
	t.mu.Lock()
	t.draining = true
	t.mu.Unlock()
	t.endAll(func(access.Access) bool { return true })
	t.ending.Wait()
}
