package httpserver

import (
	"container/list"
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

// keptStreams are the streams of all sessions that have ended and can be resumed. Their
// messages share one budget with those of all other streams: beyond it, the oldest messages of the
// holder with most are dropped, unless a reader has yet to take them. Safe for concurrent use.
type keptStreams struct {
	budget *shares.Budget

	mu     sync.Mutex
	oldest list.List // of *keptStream, in the order in which they ended
	expiry *time.Timer

	givingUp sync.Mutex
	givenUp  []*stream // those with messages that the budget gave up; givingUp guards it
}

// keptStream is a stream that has ended and can be resumed.
type keptStream struct {
	session *session
	stream  *stream
	since   time.Time
}

// hold counts a message of a stream. Messages that are given up for it are dropped by trim.
func (k *keptStreams) hold(s *stream, size int) *shares.Holding {
	return k.budget.Admit(s.holder, int64(eventSize+size), func() {
		k.givingUp.Lock()
		defer k.givingUp.Unlock()
		k.givenUp = append(k.givenUp, s)
	})
}

// trim drops the messages that were given up. Callers hold the lock of no stream.
func (k *keptStreams) trim() {
	k.givingUp.Lock()
	given := k.givenUp
	k.givenUp = nil
	k.givingUp.Unlock()
	for _, s := range given {
		s.dropOld()
	}
}

// keep keeps a stream that has ended, so that it can be resumed for a while, unless too many
// others end meanwhile. A stream that cannot be resumed is not kept, and keeping one twice has no
// effect.
func (k *keptStreams) keep(s *session, ended *stream) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, kept := range s.finished {
		if kept.Value.(*keptStream).stream == ended {
			return
		}
	}
	if !s.has(ended) {
		return
	}
	s.finished = append(s.finished, k.oldest.PushBack(&keptStream{session: s, stream: ended, since: time.Now()}))
	if len(s.finished) > maxKeptStreams {
		k.removeLocked(s.finished[0])
	}
	if k.expiry == nil {
		k.expiry = time.AfterFunc(keptFor, k.expire)
	}
}

// expire forgets the streams whose time is over.
func (k *keptStreams) expire() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for first := k.oldest.Front(); first != nil; first = k.oldest.Front() {
		rest := keptFor - time.Since(first.Value.(*keptStream).since)
		if rest > 0 {
			k.expiry.Reset(rest)
			return
		}
		k.removeLocked(first)
	}
	k.expiry = nil
}

// removeLocked forgets a stream, which must be the one of its session that ended first.
func (k *keptStreams) removeLocked(first *list.Element) {
	kept := k.oldest.Remove(first).(*keptStream)
	kept.session.finished = kept.session.finished[1:]
	kept.session.forget(kept.stream)
}

// leave forgets every stream of a session that has ended.
func (k *keptStreams) leave(s *session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, kept := range s.finished {
		k.oldest.Remove(kept)
	}
	s.finished = nil
	s.forgetAll()
}
