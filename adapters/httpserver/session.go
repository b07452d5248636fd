package httpserver

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/host"
)

// Host is one workbench: what belongs to one host.
type Host struct {
	Server *mcpserver.Server
	// Close ends the servers of the host and returns when nothing is left of them.
	Close func()
}

const (
	// maxKeptStreams bounds the streams of a session that have ended and can be resumed.
	maxKeptStreams = 64
)

// session is a host: one that made a handshake, or those programs of 2026-07-28 that count
// as one. Safe for concurrent use.
type session struct {
	id     string // what the host sends back, "" without a handshake
	access access.Access
	rest   host.Connection
	// general is the stream about no request; nil without a handshake, when there is none.
	general *stream
	// primes says that streams begin with an event without a message, from which a host can
	// resume before there is one (2025-11-25).
	primes bool
	// life ends the session when nobody uses it. It belongs to the table of sessions.
	life *time.Timer
	// ready is closed when the fields below it are set.
	ready     chan struct{}
	host      *Host
	exchanges *mcpserver.Exchanges
	gone      chan struct{} // closed when the session has ended

	mu         sync.Mutex
	uses       int // requests under way and hosts that listen
	lastUse    time.Time
	streams    map[uint64]*stream // those that may be resumed, by number
	finished   []uint64           // of those that have ended, the oldest first
	lastStream uint64
}

// newSession returns a session whose host is not there yet.
func newSession(id string, access access.Access, now time.Time) *session {
	s := &session{
		id: id, access: access, ready: make(chan struct{}), gone: make(chan struct{}),
		lastUse: now, streams: map[uint64]*stream{}, rest: nowhere{},
	}
	if id != "" {
		s.general = newStream(true)
		s.rest = restOfSession{s.general}
		s.streams[0] = s.general
	}
	return s
}

// isModern reports whether the session is of hosts without a handshake.
func (s *session) isModern() bool { return s.id == "" }

// connect makes the host of the session.
func (s *session) connect(ctx context.Context, made *Host) {
	s.host = made
	s.exchanges = made.Server.Exchange(ctx, s.rest)
	close(s.ready)
}

// enter notes that a use begins.
func (s *session) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses++
}

// leave notes that a use ended.
func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses--
	s.lastUse = time.Now()
}

// touch notes a use that is over at once.
func (s *session) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	s.streams[stream.number] = stream
}

// forget ends that. Without a number it does nothing.
func (s *session) forget(number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number > 0 {
		delete(s.streams, number)
	}
}

// keep lets a stream that has ended be resumed for a while, unless too many others end
// meanwhile. What cannot be resumed is not kept, and to keep a stream again changes nothing.
func (s *session) keep(stream *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	number := stream.number
	if s.streams[number] != stream || slices.Contains(s.finished, number) {
		return
	}
	s.finished = append(s.finished, number)
	if len(s.finished) > maxKeptStreams {
		delete(s.streams, s.finished[0])
		s.finished = s.finished[1:]
	}
	time.AfterFunc(keptFor, func() { s.forget(number) })
}

// streamOf returns the stream of that number, nil if it is not kept.
func (s *session) streamOf(number uint64) *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams[number]
}

// end ends the session: requests under way are answered, servers end, streams end.
func (s *session) end() {
	<-s.ready
	s.exchanges.Close(context.Background())
	s.host.Close()
	if s.general != nil {
		s.general.end(nil)
	}
	close(s.gone)
}
