package sessions

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Watcher is told that the tools of a server may have changed. It is called without
// any lock held. Safe for concurrent use.
type Watcher interface {
	ServerChanged(server domain.ServerID)
	// FollowsTools reports whether changed tools are to be listed as soon as a server reports a change. It is
	// called after the host declared its capabilities.
	FollowsTools() bool
}

// Sessions holds the sessions of one host. A server is connected to when it is first
// needed, by one attempt that all callers share and that continues even if they give up.
// After a failed attempt or a lost session, the next use begins a new attempt, but not
// before the pause that the server's failures require. A server never has two live
// sessions, except that a session replaced by a Reload finishes its calls. Each session
// is closed once: with its toolbox, after a Reload or at the end. Safe for concurrent
// use.
type Sessions struct {
	starter
	known    *KnownTools
	turns    turns
	observer ports.ActivityObserver // nil for none

	mu        sync.Mutex // guards the fields below; nothing blocks under it
	servers   map[domain.ServerID]*serverState
	toolboxes map[domain.ToolboxName]*toolboxState
	inForce   map[domain.ServerID]domain.Server // the settings since the last Reload, nil before the first
	logLevel  string                            // the level that the host asked for, "" for none
	ending    bool
	running   sync.WaitGroup // attempts under way and sessions not yet closed
}

// New returns the sessions of a host. Notifications and requests from servers go to the host. The tools of
// each server are kept in known, and the subscriptions in ownership are made again when a server restarts.
// Pins, which may be nil, decide which tools exist. Listings, which may be nil, keep the tools of servers
// that are started lazily. Watcher may be nil. The observer, which may be nil, is told of starts and ends.
func New(
	connector ports.Connector, host ports.Host, pins *pinning.Pinning, listings ports.Listings,
	known *KnownTools, ownership *Ownership, watcher Watcher, observer ports.ActivityObserver, log *slog.Logger,
) *Sessions {
	return &Sessions{
		starter: starter{
			connector: connector, host: host, pins: pins, listings: listings, ownership: ownership, watcher: watcher, log: log,
		},
		known: known, turns: newTurns(), observer: observer, servers: map[domain.ServerID]*serverState{}, toolboxes: map[domain.ToolboxName]*toolboxState{},
	}
}

// stateLocked returns the state of a server.
func (s *Sessions) stateLocked(id domain.ServerID) *serverState {
	state := s.servers[id]
	if state == nil {
		state = &serverState{toolbox: s.toolboxLocked(id.Toolbox)}
		s.servers[id] = state
	}
	return state
}

// toolboxLocked returns the state of a toolbox.
func (s *Sessions) toolboxLocked(name domain.ToolboxName) *toolboxState {
	state := s.toolboxes[name]
	if state == nil {
		state = &toolboxState{}
		s.toolboxes[name] = state
	}
	return state
}

// Last returns the last connection to the server, nil if there is none, and
// whether it is live. A server that was started early has none before its toolbox is opened.
func (s *Sessions) Last(id domain.ServerID) (connection *Connection, live bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	if state == nil || state.connection == nil || state.toolbox.early {
		return nil, false
	}
	return state.connection, !s.ending && state.isLive()
}

// Connect returns the live connection to the server, and makes it if there is none.
// The context bounds the wait only. Failures: domain.ErrServerUnavailable,
// domain.ErrToolboxNotOpen, domain.ErrShuttingDown, the context's.
func (s *Sessions) Connect(ctx context.Context, server domain.Server) (*Connection, error) {
	for {
		current, err := s.Start(ctx, server)
		if err != nil {
			return nil, err
		}
		select {
		case <-current.finished:
			if !current.replaced.Load() {
				return current.Outcome()
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// startReply is the time from the start of a server until a request of a host that needs it is answered without it. The
// official SDKs give a request up after 60 seconds.
const startReply = 50 * time.Second

// ConnectInTime is Connect for a request of a host. It fails with a *domain.StillStartingError before hosts give up, or
// after limits.openReply if that is longer. The server continues to start, and later requests do not wait that long again.
//
// A host with ports.StartReportsOf is told that the server is starting, and waits until it is up or limits.connect is over.
func (s *Sessions) ConnectInTime(ctx context.Context, server domain.Server) (*Connection, error) {
	current, err := s.Start(ctx, server)
	if err != nil {
		return nil, err
	}
	limits, now := current.server.Limits, time.Now()
	if ports.StartReportsOf(ctx) != nil && current.isUnderWay() {
		end := ReportStarts(ctx, limits.Connect, func() []domain.ServerID { return []domain.ServerID{server.ID} })
		defer end()
		return s.Connect(ctx, server)
	}
	due := current.Since().Add(max(startReply, limits.OpenReply))
	if soonest := now.Add(min(limits.OpenGrace, startReply)); due.Before(soonest) {
		due = soonest
	}
	bounded, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	connection, err := s.Connect(bounded, server)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		return nil, current.overdue(domain.StillStartingError{Waited: time.Since(current.Since()), InUse: true})
	}
	return connection, err
}

// Acquire returns the connection if it is live, otherwise a new one to the same server.
// It calls Enter on the connection that it returns. Failures are those of ConnectInTime.
func (s *Sessions) Acquire(ctx context.Context, connection *Connection) (*Connection, error) {
	for connection.life.isOver() || !connection.Enter() {
		var err error
		if connection, err = s.ConnectInTime(ctx, connection.Server); err != nil {
			return nil, err
		}
	}
	return connection, nil
}

// AnnounceRootsChanged implements ports.Announcer. It never waits.
func (s *Sessions) AnnounceRootsChanged() {
	for _, connection := range s.live() {
		connection.Session.AnnounceRootsChanged()
	}
}

// SetLogLevel implements ports.Announcer. It never waits.
func (s *Sessions) SetLogLevel(level string) {
	s.mu.Lock()
	s.logLevel = level
	s.mu.Unlock()
	for _, connection := range s.live() {
		connection.Session.SetLogLevel(level)
	}
}

// Close ends every attempt and every session, in parallel, and returns when nothing is
// left. As soon as it is called, no server is connected to any more. The context bounds
// the time that servers have: when it ends they are killed. Safe to call more than
// once.
func (s *Sessions) Close(ctx context.Context) {
	s.mu.Lock()
	s.ending = true
	var attempts []*Attempt
	for _, state := range s.servers {
		attempts = append(attempts, state.unclosed...)
	}
	s.mu.Unlock()
	var closing sync.WaitGroup // separate from running, which reaches zero only once
	for _, current := range attempts {
		current.cancel()
		closing.Go(func() {
			<-current.finished
			if current.err == nil {
				s.closeSession(ctx, current.connection.Session, current.connection.Server.Limits.Shutdown)
			}
		})
	}
	closing.Wait()
	s.running.Wait()
	s.ownership.close()
}

// OnlyReading returns the exact names of those of the given listed tools of a server that may be called as tools that
// only read, and whether all of them may.
func (s *Sessions) OnlyReading(id domain.ServerID, tools []domain.ToolInfo) (names map[string]bool, every bool) {
	list := s.known.list(id)
	if list == nil {
		return nil, false
	}
	return list.onlyReading(tools)
}

// live returns every live connection.
func (s *Sessions) live() []*Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	var connections []*Connection
	for _, state := range s.servers {
		if !s.ending && state.isLive() {
			connections = append(connections, state.connection)
		}
	}
	return connections
}

func (s *Sessions) currentLogLevel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logLevel
}

// notifyWatcher tells the watcher, if there is one, about a server.
func (s *Sessions) notifyWatcher(id domain.ServerID) {
	if s.watcher != nil {
		s.watcher.ServerChanged(id)
	}
}

var _ ports.ServerSessions = (*Sessions)(nil)

// Statuses implements ports.ServerSessions.
func (s *Sessions) Statuses(each func(ports.ServerStatus)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range s.servers {
		server, now, isNeeded := state.now()
		if !isNeeded {
			continue
		}
		status := ports.ServerStatus{Server: server, State: string(now), Earlier: state.earlier}
		if state.newest != nil {
			status.Since, status.Process = state.newest.since(), state.newest.progress.current().Process
		}
		each(status)
	}
}
