package sessions

import (
	"sync"
	"sync/atomic"

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
