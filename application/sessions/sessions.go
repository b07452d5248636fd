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
}

// Sessions holds the sessions of one host. A server is connected to when it is first
// needed, by one attempt that all callers share; an attempt goes on when its
// callers give up; after a failed attempt or a lost session the next need makes a
// new one, but not before the pause that the server's failures call for; no two
// sessions of one server are ever live, but for one that was replaced by a Reload and
// finishes its calls; each session is closed once, with its toolbox, after a Reload or at
// the end. Safe for concurrent use.
type Sessions struct {
	connector ports.Connector
	host      ports.Host
	pins      *pinning.Pinning // nil when there is no lock to apply
	listings  ports.Listings   // nil when none are kept
	known     *KnownTools
	ownership *Ownership
	watcher   Watcher // nil if tools are not followed
	log       *slog.Logger

	mu       sync.Mutex // guards the fields below; nothing blocks under it
	servers  map[domain.ServerID]*serverState
	closed   map[domain.ToolboxName]bool       // toolboxes whose servers must not be connected to
	allowed  map[domain.ToolboxName]bool       // toolboxes that were opened at some time
	early    map[domain.ToolboxName]bool       // toolboxes with servers that were started before that
	inForce  map[domain.ServerID]domain.Server // the settings since the last Reload, nil before the first
	logLevel string                            // that the host asked for, "" if it did not
	ending   bool
	running  sync.WaitGroup // attempts under way and sessions not yet closed
}

// New returns the sessions of a host. What servers say on their own goes to the
// host. The tools of each server are kept in known, and what subscriptions holds is
// subscribed to again when a server restarts. Pins, which may be nil, decides which tools exist. Listings,
// which may be nil, has those of servers that are started lazily; watcher may be nil.
func New(
	connector ports.Connector, host ports.Host, pins *pinning.Pinning, listings ports.Listings,
	known *KnownTools, ownership *Ownership, watcher Watcher, log *slog.Logger,
) *Sessions {
	return &Sessions{
		connector: connector, host: host, pins: pins, listings: listings, known: known, ownership: ownership,
		watcher: watcher, log: log,
		servers: map[domain.ServerID]*serverState{}, closed: map[domain.ToolboxName]bool{},
		allowed: map[domain.ToolboxName]bool{}, early: map[domain.ToolboxName]bool{},
	}
}

// Last returns the last connection to the server, nil if there is none, and
// whether it is live. A server that was started early has none before its toolbox is opened.
func (s *Sessions) Last(id domain.ServerID) (connection *Connection, live bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	if state == nil || state.connection == nil || len(s.early) > 0 && s.early[id.Toolbox] {
		return nil, false
	}
	return state.connection, !s.ending && !state.connection.life.isOver()
}

// Connect returns the live connection to the server, and makes it if there is none.
// The context bounds the wait only. Failures: domain.ErrServerUnavailable,
// domain.ErrToolboxNotOpen, domain.ErrShuttingDown, the context's.
func (s *Sessions) Connect(ctx context.Context, server domain.Server) (*Connection, error) {
	for {
		starting, err := s.Start(ctx, server)
		if err != nil {
			return nil, err
		}
		select {
		case <-starting.Ended():
			if !starting.attempt.replaced.Load() {
				return starting.Outcome()
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Acquire returns the connection itself, entered, if it is live, and otherwise the
// one that replaces it. Failures are those of Connect.
func (s *Sessions) Acquire(ctx context.Context, connection *Connection) (*Connection, error) {
	for connection.life.isOver() || !connection.Enter() {
		var err error
		if connection, err = s.Connect(ctx, connection.Server); err != nil {
			return nil, err
		}
	}
	return connection, nil
}

// Notify sends a notification to every live server. It never waits.
func (s *Sessions) Notify(notification ports.Message) {
	for _, connection := range s.live() {
		connection.Session.Notify(notification)
	}
}

// SetLogLevel says which log messages the host wants of every server, of those that
// are connected to later too. It never waits.
func (s *Sessions) SetLogLevel(level string) {
	s.mu.Lock()
	s.logLevel = level
	s.mu.Unlock()
	for _, connection := range s.live() {
		connection.Session.SetLogLevel(level)
	}
}

// TakeRestart returns why the server was restarted since the last call, "" if it was
// not.
func (s *Sessions) TakeRestart(id domain.ServerID) (why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state := s.servers[id]; state != nil {
		why, state.restarted = state.restarted, ""
	}
	return why
}

// Close ends every attempt and every session, in parallel, and returns when
// nothing is left. From its start on nothing is connected to any more. The
// context bounds the patience with servers: when it ends they are killed. Safe to
// call more than once.
func (s *Sessions) Close(ctx context.Context) {
	s.mu.Lock()
	s.ending = true
	var attempts []*attempt
	for _, state := range s.servers {
		attempts = append(attempts, state.unclosed...)
	}
	s.mu.Unlock()
	var closing sync.WaitGroup // separate from running, which only reaches zero once
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
}

// live returns every live connection.
func (s *Sessions) live() []*Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	var connections []*Connection
	for _, state := range s.servers {
		if c := state.connection; c != nil && !s.ending && !c.life.isOver() {
			connections = append(connections, c)
		}
	}
	return connections
}

func (s *Sessions) currentLogLevel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logLevel
}

// closeSession closes one session; its server may take the limit to end, or less if
// the context ends first.
func (s *Sessions) closeSession(ctx context.Context, session Requests, limit time.Duration) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := session.Close(bounded); err != nil {
		s.log.Warn("could not close a session", "error", err)
	}
}

// notifyWatcher tells the watcher, if there is one, about a server.
func (s *Sessions) notifyWatcher(id domain.ServerID) {
	if s.watcher != nil {
		s.watcher.ServerChanged(id)
	}
}
