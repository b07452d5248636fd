package httpserver

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	// sendsAtOnce is how many of the largest messages all that is being sent may be together,
	// leastSends the least that it may be, in bytes.
	sendsAtOnce = 8
	leastSends  = 64 << 20
	// smallSend is the size up to which what is sent is not counted: connections hold that
	// much by themselves.
	smallSend = 64 << 10
)

// sends bounds the memory of what is being sent to hosts, which may read slowly or not at all.
// When there is too much, the connection that has been written to for longest is cut: a host
// that reads does so in less time than others. Safe for concurrent use.
type sends struct {
	most int64

	mu   sync.Mutex
	held int64
	open []*send // the oldest first
}

// send is what is sent on one connection.
type send struct {
	size int64
	to   interface{ SetWriteDeadline(t time.Time) error }
}

func newSends(messageSize int64) *sends {
	return &sends{most: max(sendsAtOnce*messageSize, leastSends)}
}

// answer sends a response that is one message.
func (s *sends) answer(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", contentJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	control := http.NewResponseController(w)
	setWriteDeadline(control, len(text))
	defer s.begin(len(text), control)()
	w.WriteHeader(status)
	_, _ = w.Write(text) // a host that is gone needs no answer
}

// begin counts what is about to be written, whose deadline is set. The returned function has
// to be called when it was written.
func (s *sends) begin(size int, to interface{ SetWriteDeadline(t time.Time) error }) (end func()) {
	if size <= smallSend {
		return func() {}
	}
	one := &send{size: int64(size), to: to}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held += one.size
	s.open = append(s.open, one)
	for s.held > s.most && len(s.open) > 1 {
		oldest := s.open[0]
		s.removeLocked(oldest)
		_ = oldest.to.SetWriteDeadline(time.Now()) // what has none cannot be slow
	}
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.removeLocked(one)
	}
}

func (s *sends) removeLocked(one *send) {
	if i := slices.Index(s.open, one); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
		s.held -= one.size
	}
}
