package httpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/mcpserver/callers"
)

const (
	// idleAfter is how long a session must be unused before it can make room for another one when there are
	// too many. Most hosts end without a DELETE, and a new host must still get in. It is as long as a user can
	// take to answer a question (limits.inputReply).
	idleAfter = 10 * time.Minute
	// sessionLife is how long an unused session is kept: a host that returns within a day continues where it
	// was.
	sessionLife = 24 * time.Hour
)

// Failures to begin a session.
var (
	errTooManySessions = errors.New("too many sessions at once; try again later, or have the operator raise http.maxSessions")
	errTooManyOfOne    = errors.New(
		"too many sessions of one token or subject at once; try again later, or have the operator raise http.maxSessionsPerIdentity")
	errTooManyEnding = errors.New("the servers of many sessions that ended have not exited yet; try again later, or have the operator " +
		"raise http.maxSessionsPerIdentity or http.maxSessions")
	errDraining = errors.New("the workbench is shutting down")
	errRevoked  = errors.New("the token is no longer accepted")
)

// Want describes the host that a workbench is made for.
type Want struct {
	// Access says which toolboxes the caller can see.
	Access callers.Access
	// Modern is set for hosts of 2026-07-28, which have no session of the protocol: several
	// programs may count as one host.
	Modern bool
	// Session is the beginning of the id of the session, which distinguishes it from others and gives no
	// access; "" for hosts of 2026-07-28.
	Session string
}

// sessionKey identifies a session: one with a handshake by the id that its host sends back, one of 2026-07-28
// by what the programs that count as its host have in common.
type sessionKey struct{ id, identity, choice, clientName, capabilities string }

// sessions holds the sessions of all hosts. Safe for concurrent use.
type sessions struct {
	open   func(Want) *Host
	limits Limits
	kept   *keptStreams

	mu         sync.Mutex
	sessions   map[sessionKey]*session
	counts     map[string]int // of the sessions, by identity
	unended    map[string]int // sessions that were removed and are not gone yet, by identity
	unendedAll int            // the sum of unended
	leaving    bool           // Ready is false
	draining   bool
	ending     sync.WaitGroup // for unended to be empty
}

// begin begins the session of a host that makes a handshake.
func (t *sessions) begin(caller callers.Access) (*session, error) {
	return t.join(sessionKey{id: rand.Text()}, caller)
}

// join returns the session of a key, and begins it if there is none.
func (t *sessions) join(key sessionKey, caller callers.Access) (*session, error) {
	t.mu.Lock()
	if s := t.sessions[key]; s != nil {
		s.use(0)
		t.mu.Unlock()
		<-s.ready
		return s, nil
	}
	s := newSession(key, caller, t.kept)
	err := t.addLocked(s)
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	s.host = t.open(Want{Access: caller, Modern: s.isModern(), Session: s.name()})
	s.receiver = s.host.Server.Receiver(context.Background(), s.rest)
	close(s.ready)
	return s, nil
}

// find returns the session of that id, if it belongs to the identity and the choice of the caller.
func (t *sessions) find(id string, caller callers.Access) *session {
	t.mu.Lock()
	s := t.sessions[sessionKey{id: id}]
	t.mu.Unlock()
	if s == nil || s.access.Identity != caller.Identity || s.access.Choice != caller.Choice {
		return nil
	}
	s.use(0)
	<-s.ready
	return s
}

// addLocked adds a session if there is room for it.
func (t *sessions) addLocked(s *session) error {
	if t.draining {
		return errDraining
	}
	if s.access.HasEnded(time.Now()) {
		return errRevoked
	}
	// Their servers are alive, so that sessions that end slowly are bounded like others.
	if isReached(t.limits.Sessions, t.unendedAll) || s.access.Identity != "" && isReached(t.limits.SessionsPerIdentity, t.unended[s.access.Identity]) {
		return errTooManyEnding
	}
	if identity := s.access.Identity; identity != "" {
		ofIdentity := func(other *session) bool { return other.access.Identity == identity }
		if !t.makeRoomLocked(t.limits.SessionsPerIdentity, t.counts[identity], ofIdentity) {
			return errTooManyOfOne
		}
	}
	if !t.makeRoomLocked(t.limits.Sessions, len(t.sessions), func(*session) bool { return true }) {
		return errTooManySessions
	}
	t.sessions[s.key] = s
	t.counts[s.access.Identity]++
	s.life = time.AfterFunc(sessionLife, func() { t.expire(s) })
	return nil
}

// makeRoomLocked reports whether one more session is within a limit, 0 for no limit. count is the number of
// sessions that fit. If the limit is reached, it ends the one of them that was unused for longest, if that is
// long enough.
func (t *sessions) makeRoomLocked(limit, count int, fits func(*session) bool) bool {
	if !isReached(limit, count) {
		return true
	}
	unused := t.unusedLocked(fits)
	return unused != nil && t.removeLocked(unused)
}

// isReached reports whether a count has reached a limit, 0 for no limit.
func isReached(limit, count int) bool { return limit > 0 && count >= limit }

// unusedLocked returns the session that fits and was unused for longest, nil if that is not long enough to end
// it.
func (t *sessions) unusedLocked(fits func(*session) bool) (unused *session) {
	var since time.Time
	for _, s := range t.sessions {
		if !fits(s) {
			continue
		}
		last, used := s.idleSince()
		if !used && time.Since(last) >= idleAfter && (unused == nil || last.Before(since)) {
			unused, since = s, last
		}
	}
	return unused
}

// removeLocked removes a session and ends it. It returns false if it was removed before.
func (t *sessions) removeLocked(s *session) bool {
	if t.sessions[s.key] != s {
		return false
	}
	delete(t.sessions, s.key)
	if t.counts[s.access.Identity]--; t.counts[s.access.Identity] == 0 {
		delete(t.counts, s.access.Identity)
	}
	s.life.Stop()
	t.unended[s.access.Identity]++
	t.unendedAll++
	t.ending.Go(func() {
		s.end()
		t.mu.Lock()
		defer t.mu.Unlock()
		t.unendedAll--
		if t.unended[s.access.Identity]--; t.unended[s.access.Identity] == 0 {
			delete(t.unended, s.access.Identity)
		}
	})
	return true
}

// end ends a session. It does not wait for its servers.
func (t *sessions) end(s *session) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.removeLocked(s)
}

// EndSessions ends the sessions whose access fits. It does not wait for their servers.
func (t *sessions) EndSessions(fits func(callers.Access) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.sessions {
		if fits(s.access) {
			t.removeLocked(s)
		}
	}
}

// expire ends a session that was unused for sessionLife, otherwise it sets the timer again.
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

// Sessions returns how many sessions an identity has.
func (t *sessions) Sessions(identity string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[identity]
}

// Ready reports whether new hosts should be sent here, which is so until Leave or Drain is called.
func (t *sessions) Ready() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.leaving && !t.draining
}

// Leave makes Ready return false. Hosts are still served.
func (t *sessions) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leaving = true
}

// isDraining reports whether requests are refused.
func (t *sessions) isDraining() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.draining
}

// Drain refuses sessions and requests from now on, and waits until those under way are
// answered or the context ends.
func (t *sessions) Drain(ctx context.Context) {
	t.mu.Lock()
	t.draining = true
	sessions := slices.Collect(maps.Values(t.sessions))
	t.mu.Unlock()
	var waiting sync.WaitGroup
	for _, s := range sessions {
		waiting.Go(func() {
			<-s.ready
			s.receiver.Wait(ctx)
		})
	}
	waiting.Wait()
}

// Close ends every session and returns when nothing is left of their servers. No session can
// begin after it.
func (t *sessions) Close() {
	t.mu.Lock()
	t.draining = true
	t.mu.Unlock()
	t.EndSessions(func(callers.Access) bool { return true })
	t.ending.Wait()
}
