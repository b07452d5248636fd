package sharing

import (
	"sync"

	"mcp-workbench/domain"
)

// levels are the log messages that members want of a server, which is told of the lowest level.
// Each host leaves out what is below its own. A member that never said which wants what the
// server sends by itself, and nobody knows which messages those are: so once the server is told
// something, it is told to send all of them. Safe for concurrent use.
type levels struct {
	tell func(level string) // it never waits

	mu       sync.Mutex // guards the fields below, and orders what is told
	members  map[*member]string
	requests map[*request]string // that want other messages while they are under way
	told     string
}

func newLevels(tell func(level string)) *levels {
	return &levels{tell: tell, members: map[*member]string{}, requests: map[*request]string{}}
}

// join adds a member that has not said anything.
func (l *levels) join(m *member) { l.set(m, "") }

// set notes the level that a member wants from now on.
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

// begin notes the level that a request wants until finish, "" for none.
func (l *levels) begin(r *request, level string) {
	if level == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests[r] = level
	l.updateLocked()
}

func (l *levels) finish(r *request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, wanted := l.requests[r]; wanted {
		delete(l.requests, r)
		l.updateLocked()
	}
}

// updateLocked tells the server what it has to know.
func (l *levels) updateLocked() {
	lowest := ""
	for _, level := range l.requests {
		lowest = lower(lowest, level)
	}
	unsaid := false
	for _, level := range l.members {
		unsaid = unsaid || level == ""
		lowest = lower(lowest, level)
	}
	if lowest == "" && l.told == "" {
		return
	}
	if unsaid {
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
