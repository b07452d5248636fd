package httpserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/mcpserver/host"
)

// Host is the workbench of one host.
type Host struct {
	Server *mcpserver.Server
	// Close ends the servers of the host and returns when nothing is left of them.
	Close func()
}

// session is a host: one that made a handshake, or the programs of 2026-07-28 that count
// as one host. Safe for concurrent use.
type session struct {
	key    sessionKey
	access callers.Access
	// holder is who has a share of what all callers use: the identity, or the session without one.
	holder string
	rest   host.Connection
	// general is the stream for messages about no request; nil without a handshake.
	general *stream
	// primes says that streams begin with an event without a message, from which a host can
	// resume before there is one (2025-11-25).
	primes bool
	// life is the timer that ends an unused session. The lock of sessions guards it.
	life *time.Timer
	// ready is closed when the fields below it are set.
	ready    chan struct{}
	host     *Host
	receiver *mcpserver.Receiver
	ending   chan struct{} // closed when the session begins to end
	gone     chan struct{} // closed when the session has ended
	kept     *keptStreams

	mu         sync.Mutex
	uses       int // requests under way and hosts that listen
	lastUse    time.Time
	streams    map[uint64]*stream // those that may be resumed, by number; nil after the end
	finished   []*stream          // those of streams that were kept at their end, the oldest first
	lastStream uint64
}

// maxKeptStreams bounds the streams of a session that have ended and can be resumed.
const maxKeptStreams = 64

// shownID is the number of characters of a session's id that may be shown. The rest has 90 bits.
const shownID = 8

// name returns the part of the id of the session that may be shown, "" without a handshake.
func (s *session) name() string { return s.key.id[:min(shownID, len(s.key.id))] }

// newSession returns a session whose host is not set yet.
func newSession(key sessionKey, access callers.Access, kept *keptStreams) *session {
	s := &session{
		key: key, access: access, holder: cmp.Or(access.Identity, rand.Text()), ready: make(chan struct{}), ending: make(chan struct{}), gone: make(chan struct{}), kept: kept,
		lastUse: time.Now(), streams: map[uint64]*stream{}, rest: nowhere{},
	}
	if !s.isModern() {
		s.general = newStream(kept, s.holder, true, s.ending)
		s.rest = restOfSession{s.general}
		s.streams[0] = s.general
	}
	return s
}

// isModern reports whether the session is of hosts without a handshake.
func (s *session) isModern() bool { return s.key.id == "" }

// use adds to the uses of the session, or subtracts those that end. It records that the session is used now.
func (s *session) use(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses += change
	s.lastUse = time.Now()
}

// idleSince returns when the session was used last, and whether it is in use now.
func (s *session) idleSince() (last time.Time, used bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastUse, s.uses > 0
}

// register gives a stream its number, by which it can be resumed.
func (s *session) register(stream *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastStream++
	stream.number = s.lastStream
	if s.streams != nil {
		s.streams[stream.number] = stream
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

// forget undoes register: the stream cannot be resumed any more.
func (s *session) forget(gone *stream) {
	s.mu.Lock()
	if gone.number > 0 {
		delete(s.streams, gone.number)
	}
	if gone.expiry != nil {
		gone.expiry.Stop()
	}
	s.finished = slices.DeleteFunc(s.finished, func(other *stream) bool { return other == gone })
	s.mu.Unlock()
	gone.release()
}

// forgetAll forgets every stream, including those that are registered later.
func (s *session) forgetAll() {
	s.mu.Lock()
	streams := s.streams
	s.streams = nil
	for _, ended := range s.finished {
		ended.expiry.Stop()
	}
	s.finished = nil
	s.mu.Unlock()
	for _, stream := range streams {
		stream.release()
	}
}

// streamOf returns the stream of that number, nil if it is not kept.
func (s *session) streamOf(number uint64) *stream {
	s.mu.Lock()
	stream := s.streams[number]
	s.mu.Unlock()
	if stream == nil || stream.isLost() {
		return nil
	}
	return stream
}

// end ends the session: requests under way are answered, streams end, servers end. It waits for
// no host that does not read. Nothing of the session is kept.
func (s *session) end() {
	<-s.ready
	close(s.ending)
	s.receiver.Close(context.Background())
	if s.general != nil {
		s.general.end(nil)
	}
	s.host.Close()
	close(s.gone)
	s.forgetAll()
}
