package sharing

import (
	"sync"

	"mcp-workbench/domain"
)

// levels are the log levels that members want from a server, which is told the lowest of them.
// Each host leaves out messages below its own level. A member that never set a level wants the
// messages that the server sends by default, but the server's default level is not known. So while
// there is such a member, the server is told to send all messages as soon as it has to be told any
// level. Safe for concurrent use.
type levels struct {
	tell func(level string) // must not wait

	mu       sync.Mutex // guards the fields below, and orders what is told
	members  map[*member]string
	requests map[*request]string // levels that requests want while they are under way
	told     string
}

func newLevels(tell func(level string)) *levels {
	return &levels{tell: tell, members: map[*member]string{}, requests: map[*request]string{}}
}

// set notes the level that a member wants from now on, "" for a member that has not set one.
func (l *levels) set(m *member, level string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.members[m] = level
	l.updateLocked()
}

func (l *levels) leave(m *member) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.members, m)
	if len(l.members) > 0 {
		l.updateLocked()
	}
}

// begin notes the level that a request wants until finish, "" for none. It notes nothing for a request
// that has ended, as with its member.
func (l *levels) begin(r *request, level string) {
	if level == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.waits() { // finish comes later then
		l.requests[r] = level
		l.updateLocked()
	}
}

func (l *levels) finish(r *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, wanted := l.requests[r]; wanted {
		delete(l.requests, r)
		l.updateLocked()
	}
}

// updateLocked tells the server the level that it has to send, if the level changed.
func (l *levels) updateLocked() {
	lowest := ""
	for _, level := range l.requests {
		lowest = lower(lowest, level)
	}
	hasDefault := false
	for _, level := range l.members {
		hasDefault = hasDefault || level == ""
		lowest = lower(lowest, level)
	}
	if lowest == "" && l.told == "" {
		return
	}
	if hasDefault {
		lowest = domain.LowestLogLevel
	}
	if lowest != l.told {
		l.told = lowest
		l.tell(lowest)
	}
}

// lower returns the lower of two levels, the other one if one is "".
func lower(a, b string) string {
	if a == "" || b != "" && domain.LogSeverity(b) < domain.LogSeverity(a) {
		return b
	}
	return a
}
