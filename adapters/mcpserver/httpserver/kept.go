package httpserver

import (
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/shares"
)

const (
	// maxKeptStreams bounds the streams of a session that have ended and can be resumed.
	maxKeptStreams = 64
	// maxHeld bounds the bytes of messages that are kept for hosts that come back, of all
	// sessions together, and eventSize is the overhead that is counted for each message.
	maxHeld   = 64 << 20
	eventSize = 256
)

// keptStreams bounds the messages of the streams of all sessions. Beyond its budget, the oldest messages of the
// holder with most are dropped, unless a reader has yet to take them. Safe for concurrent use.
type keptStreams struct {
	budget *shares.Budget

	mu      sync.Mutex
	givenUp []*stream // those with messages that the budget gave up
}

// hold counts a message of a stream. Messages that are given up for it are dropped by trim.
func (k *keptStreams) hold(s *stream, size int) *shares.Holding {
	return k.budget.Admit(s.holder, int64(eventSize+size), func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.givenUp = append(k.givenUp, s)
	})
}

// trim drops the messages that were given up. Callers hold the lock of no stream.
func (k *keptStreams) trim() {
	k.mu.Lock()
	given := k.givenUp
	k.givenUp = nil
	k.mu.Unlock()
	for _, s := range given {
		s.dropOld()
	}
}

// keep keeps a stream that has ended, so that it can be resumed for a while, unless too many
// others end meanwhile. A stream that cannot be resumed is not kept, and keeping one twice has no
// effect.
func (s *session) keep(ended *stream) {
	s.mu.Lock()
	if s.streams[ended.number] != ended || slices.Contains(s.finished, ended) {
		s.mu.Unlock()
		return
	}
	s.finished = append(s.finished, ended)
	ended.expiry = time.AfterFunc(keptFor, func() { s.forget(ended) })
	var oldest *stream
	if len(s.finished) > maxKeptStreams {
		oldest = s.finished[0]
		s.finished = slices.Delete(s.finished, 0, 1) // so that a call that ends meanwhile takes another one
	}
	s.mu.Unlock()
	if oldest != nil {
		s.forget(oldest)
	}
}
