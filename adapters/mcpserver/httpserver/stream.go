package httpserver

import (
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/application/shares"
)

const (
	// maxEvents and maxBytes bound what a stream keeps: messages that were not sent yet, and the
	// newest of those that were, for a host whose connection is cut.
	maxEvents = 256
	maxBytes  = 1 << 20
	// keptFor is how long a stream is kept after its end, and a message without a reader.
	keptFor = 5 * time.Minute
	// patience is how long writers of a stream wait for a reader that is behind. What they used of
	// it recovers in ten times that time, so a slow host delays other calls of its server by a
	// tenth at most.
	patience    = time.Second
	patienceAge = 10
)

// errEnded means that nothing more can be sent on a stream.
var errEnded = errors.New("the stream has ended")

// event is one message of a stream.
type event struct {
	number uint64
	at     time.Time
	text   []byte
	held   *shares.Holding
}

// stream holds the messages about one request, or about none, in their order. At most one reader
// has it at a time; a later one takes over. Without a reader, a stream that can be resumed keeps
// what fits and drops the oldest. With a reader, writers wait for it, but not for long: then the
// oldest message that the reader did not take is dropped. The last message is never dropped while a
// reader can take it. Safe for concurrent use.
type stream struct {
	kept   *keptStreams
	holder string // who has a share of what is kept
	// ending is closed when writers must not wait any more.
	ending <-chan struct{}
	// number identifies the stream in its session. It is 0 for the one about no request. It is set
	// before anything is sent.
	number uint64
	// expiry ends the time for which the stream is kept, nil before its end. The lock of its session guards it.
	expiry *time.Timer

	mu sync.Mutex
	// resumable says that messages that were sent are kept for a reader that comes back.
	resumable bool
	events    []event // kept, the oldest first
	bytes     int
	last      uint64 // number of the newest event
	sent      uint64 // number of the newest event that a reader took
	ended     bool   // nothing more will come
	reader    *reader
	room      chan struct{} // closed when writers can continue; nil if none waits
	behind    bool          // writers waited for the reader in vain
	waited    time.Duration // used part of the patience, at the time since
	since     time.Time
}

// reader takes the messages of a stream, until another reader takes over.
type reader struct {
	stream *stream
	wake   chan struct{} // there may be something to take
	taken  chan struct{} // closed when another reader has the stream
}

func newStream(kept *keptStreams, holder string, resumable bool, ending <-chan struct{}) *stream {
	return &stream{kept: kept, holder: holder, resumable: resumable, ending: ending}
}

// attach gives the stream to a new reader, which takes what no reader took yet.
func (s *stream) attach() *reader { return s.resume(math.MaxUint64) }

// resume gives the stream to a new reader that has seen it up to an event. It takes what is
// kept of the rest.
func (s *stream) resume(after uint64) *reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = min(s.sent, after)
	if s.reader != nil {
		close(s.reader.taken)
	}
	s.reader = &reader{stream: s, wake: make(chan struct{}, 1), taken: make(chan struct{})}
	s.dropOldLocked()
	s.reader.wake <- struct{}{}
	return s.reader
}

// detach gives the stream up. What the reader took last may not have arrived. It returns
// whether anything was ever taken.
func (r *reader) detach() (used bool) {
	s := r.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader == r {
		s.reader = nil
		s.dropOldLocked()
		s.makeRoomLocked()
	}
	return s.sent > 0
}

// take returns the messages that were not taken yet, and whether they are the last. It
// returns nothing once another reader has the stream.
func (r *reader) take() (events []event, ended bool) {
	s := r.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader != r {
		return nil, false
	}
	first := slices.IndexFunc(s.events, func(e event) bool { return e.number > s.sent })
	if first >= 0 {
		events = slices.Clone(s.events[first:])
		s.sent = s.last
	}
	s.behind = false
	s.dropOldLocked()
	s.makeRoomLocked()
	return events, s.ended
}

// write adds a message. It waits a moment for a reader that is slow, and fails with errEnded.
func (s *stream) write(text []byte) error {
	defer s.kept.trim()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.ended && !s.behind && s.isFullLocked() {
		s.awaitRoomLocked()
	}
	return s.addLocked(text)
}

// awaitRoomLocked waits until there may be room. The reader counts as behind if there is none in
// time.
func (s *stream) awaitRoomLocked() {
	now := time.Now()
	s.waited = max(0, s.waited-now.Sub(s.since)/patienceAge)
	s.since = now
	if s.room == nil {
		s.room = make(chan struct{})
	}
	room, late := s.room, time.NewTimer(patience-s.waited)
	defer late.Stop()
	s.mu.Unlock()
	inTime := true
	select {
	case <-room:
	case <-late.C:
		inTime = false
	case <-s.ending:
		inTime = false
	}
	s.mu.Lock()
	s.waited += time.Since(now)
	s.behind = s.behind || !inTime && s.isFullLocked()
}

// tryWrite is write without waiting. It fails with jsonrpc.ErrQueueFull if there is no room.
func (s *stream) tryWrite(text []byte) error {
	defer s.kept.trim()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended && s.isFullLocked() {
		return jsonrpc.ErrQueueFull
	}
	return s.addLocked(text)
}

// end adds the last message, nil for none. It does not wait.
func (s *stream) end(text []byte) {
	defer s.kept.trim()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	if text != nil {
		s.appendLocked(text)
	}
	s.wakeLocked()
	s.makeRoomLocked()
}

// release makes the stream impossible to resume. It keeps only messages that the current reader has
// yet to take.
func (s *stream) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resumable = false
	s.dropOldLocked()
}

// hasEnded reports whether nothing more will come.
func (s *stream) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

func (s *stream) addLocked(text []byte) error {
	if s.ended {
		return errEnded
	}
	s.appendLocked(text)
	return nil
}

func (s *stream) appendLocked(text []byte) {
	s.last++
	s.events = append(s.events, event{number: s.last, at: time.Now(), text: text, held: s.kept.hold(s, len(text))})
	s.bytes += len(text)
	s.dropOldLocked()
	s.wakeLocked()
}

// isLost reports whether a stream that has ended had messages and keeps none of them.
func (s *stream) isLost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended && s.last > 0 && len(s.events) == 0
}

// isFullLocked reports whether the reader is behind by as much as a stream keeps.
func (s *stream) isFullLocked() bool {
	if s.reader == nil {
		return false
	}
	waiting, size := 0, 0
	for _, e := range slices.Backward(s.events) {
		if e.number <= s.sent {
			break
		}
		waiting++
		size += len(e.text)
	}
	return waiting >= maxEvents || size > maxBytes
}

// dropOld is dropOldLocked.
func (s *stream) dropOld() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropOldLocked()
}

// dropOldLocked drops messages that need not be kept: those that were sent on a stream that
// cannot be resumed, those that the budget gave up, and the oldest if there are too many. It keeps
// those that a reader that is not behind has yet to take, and the last message of a stream that has
// ended unless the budget gave it up.
func (s *stream) dropOldLocked() {
	drop := 0
	for ; drop < len(s.events); drop++ {
		oldest, left := s.events[drop], len(s.events)-drop
		awaited := oldest.number > s.sent && s.reader != nil
		tooMuch := left > maxEvents || s.bytes > maxBytes
		unread := s.reader == nil && time.Since(oldest.at) > keptFor
		isGone := !awaited && (!s.resumable || oldest.held.IsGivenUp())
		if !isGone && (awaited && !s.behind || left == 1 && (awaited || s.ended) || !tooMuch && !unread) {
			break
		}
		oldest.held.End()
		s.bytes -= len(oldest.text)
	}
	s.events = slices.Delete(s.events, 0, drop)
}

func (s *stream) wakeLocked() {
	if s.reader == nil {
		return
	}
	select {
	case s.reader.wake <- struct{}{}:
	default:
	}
}

// makeRoomLocked wakes the writers that wait.
func (s *stream) makeRoomLocked() {
	if s.room != nil {
		close(s.room)
		s.room = nil
	}
}
