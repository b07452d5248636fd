package refusal

import (
	"log/slog"
	"net/http"
	"sync"
	"time"
)

const (
	// linesAtOnce is how many refusals are logged within a minute; the rest is counted.
	linesAtOnce = 10
	// maxShown is the length up to which a header is logged, in bytes.
	maxShown = 100
)

// Log refuses requests of callers that may not call. It logs ten refusals a minute as warnings
// with the address of the caller, for programs that ban such addresses, and counts the others.
// Safe for concurrent use.
type Log struct {
	log *slog.Logger

	mu    sync.Mutex
	lines int // in this minute
	more  int // that were not logged
}

// NewLog returns a Log that writes to log.
func NewLog(log *slog.Logger) *Log { return &Log{log: log} }

// Refuse is Write, and logs the refusal.
func (l *Log) Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	if l.begin() {
		attributes := []any{"from", r.RemoteAddr, "status", status, "reason", message, "host", cut(r.Host)}
		if forwarded := r.Header.Get("X-Forwarded-For"); forwarded != "" {
			attributes = append(attributes, "forwarded", cut(forwarded))
		}
		l.log.Warn("a request was refused", attributes...)
	}
	Write(w, r, status, message)
}

// begin reports whether there is room for a line, and counts the refusal otherwise.
func (l *Log) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == 0 {
		time.AfterFunc(time.Minute, l.end)
	}
	if l.lines >= linesAtOnce {
		l.more++
		return false
	}
	l.lines++
	return true
}

// end is the end of a minute.
func (l *Log) end() {
	l.mu.Lock()
	more := l.more
	l.lines, l.more = 0, 0
	l.mu.Unlock()
	if more > 0 {
		l.log.Warn("more requests were refused within a minute", "count", more)
	}
}

func cut(text string) string { return text[:min(len(text), maxShown)] }
