package httpserver

import (
	"sync"

	"mcp-workbench/application/shares"
)

const (
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
