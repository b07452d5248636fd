package httpserver

import (
	"container/list"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxKeptStreams bounds the streams of a session that have ended and can be resumed.
	maxKeptStreams = 64
	// maxHeld bounds the bytes of messages that are kept for hosts that come back, of all
	// sessions together.
	maxHeld = 64 << 20
)

// keptStreams are the streams of all sessions that have ended and can be resumed. Their
// messages share one bound with those of all other streams: beyond it, the streams that ended
// first are dropped, and then messages of streams without a reader. Safe for concurrent use.
type keptStreams struct {
	// held is the number of bytes of the messages of all streams.
	held atomic.Int64

	mu     sync.Mutex
	oldest list.List // of *keptStream, in the order in which they ended
	expiry *time.Timer
}

// keptStream is a stream that has ended and can be resumed.
type keptStream struct {
	session *session
	stream  *stream
	since   time.Time
}

// share returns how many bytes a stream can keep for a reader that comes back.
func (k *keptStreams) share() int {
	if k.held.Load() > maxHeld {
		return 0
	}
	return maxBytes
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
	k.trimLocked()
	if k.expiry == nil {
		k.expiry = time.AfterFunc(keptFor, k.expire)
	}
}

// trim drops streams until their messages are within the bound.
func (k *keptStreams) trim() {
	if k.held.Load() <= maxHeld {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trimLocked()
}

func (k *keptStreams) trimLocked() {
	for first := k.oldest.Front(); first != nil && k.held.Load() > maxHeld; first = k.oldest.Front() {
		k.removeLocked(first)
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
