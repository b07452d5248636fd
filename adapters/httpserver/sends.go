package httpserver

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	// All writes to hosts can together have the size of sendsAtOnce messages of the largest
	// size, or leastSends bytes if that is more.
	sendsAtOnce = 8
	leastSends  = 64 << 20
	// smallSend is the maximum size of a write that is not counted: connections buffer that much
	// anyway.
	smallSend = 64 << 10
)

// sends bounds the memory of writes to hosts, which may read slowly or not at all. When it is
// exceeded, the connection whose write began first is cut: a host that reads would have finished
// by then. Safe for concurrent use.
type sends struct {
	most int64

	mu   sync.Mutex
	held int64
	open []*send // the oldest first
}

// send is one write to a connection.
type send struct {
	size int64
	to   interface{ SetWriteDeadline(t time.Time) error }
}

// answer sends a response that is one message, and reports whether it was written.
func (s *sends) answer(w http.ResponseWriter, status int, text []byte) bool {
	w.Header().Set("Content-Type", contentJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	control := http.NewResponseController(w)
	setWriteDeadline(control, len(text))
	defer s.begin(len(text), control)()
	w.WriteHeader(status)
	_, err := w.Write(text)
	return err == nil // a host that is gone needs no answer
}

// begin counts bytes that are about to be written before a deadline. Callers call the returned
// function when they are written.
func (s *sends) begin(size int, to interface{ SetWriteDeadline(t time.Time) error }) (end func()) {
	if size <= smallSend {
		return func() {}
	}
	begun := &send{size: int64(size), to: to}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held += begun.size
	s.open = append(s.open, begun)
	for s.held > s.most && len(s.open) > 1 {
		oldest := s.open[0]
		s.removeLocked(oldest)
		_ = oldest.to.SetWriteDeadline(time.Now()) // a connection without deadlines cannot be slow
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.removeLocked(begun)
	}
}

func (s *sends) removeLocked(done *send) {
	if i := slices.Index(s.open, done); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
		s.held -= done.size
	}
}
