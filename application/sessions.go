package application

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Sessions decides when servers are connected to. A server is connected to on
// first need, by one attempt that all who need it share; an attempt outlives the
// callers that leave it; after a failed attempt or a lost session the next one is
// made on next need, but no sooner than the server's recovery allows; no two
// sessions of one server are ever live; everything is closed once, with its toolbox
// or at the end, and closing starts nothing. Safe for concurrent use.
type Sessions struct {
	connector ports.Connector
	host      ports.Host
	pinning   *Pinning
	log       *slog.Logger
	changed   func(domain.ServerID) // nil when nobody follows what servers offer

	mu         sync.Mutex // guards the fields below; nothing blocks under it
	attempts   map[domain.ServerID]*attempt
	known      map[domain.ServerID]*Connection
	recoveries map[domain.ServerID]*recovery
	logLevel   string // that the host asked for, "" if it did not
	dismissed  map[domain.ToolboxName]bool
	ending     bool
	running    sync.WaitGroup // attempts under way and sessions not yet closed
}

// NewSessions returns the policy over a connector. What servers say and ask on
// their own goes to the host; pinning, which may be nil, decides which of their tools
// exist.
func NewSessions(connector ports.Connector, host ports.Host, pinning *Pinning, log *slog.Logger) *Sessions {
	return &Sessions{
		connector: connector, host: host, pinning: pinning, log: log,
		attempts: map[domain.ServerID]*attempt{}, known: map[domain.ServerID]*Connection{},
		recoveries: map[domain.ServerID]*recovery{},
	}
}

// Known returns the last connection to the server, nil if there never was one,
// and whether it is live.
func (s *Sessions) Known(id domain.ServerID) (connection *Connection, live bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	connection = s.known[id]
	return connection, connection != nil && !s.ending && !connection.lost()
}

// live returns every live connection.
func (s *Sessions) live() []*Connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	var connections []*Connection
	for _, connection := range s.known {
		if !s.ending && !connection.lost() {
			connections = append(connections, connection)
		}
	}
	return connections
}

func (s *Sessions) currentLogLevel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logLevel
}

// Connection returns the live connection to the server, making it if there is
// none. The context bounds the wait only. Failures: domain.ErrServerUnavailable,
// domain.ErrToolboxNotOpen, domain.ErrShuttingDown, the context's.
func (s *Sessions) Connection(ctx context.Context, server domain.Server) (*Connection, error) {
	current, err := s.attempt(ctx, server)
	if err != nil {
		return nil, err
	}
	select {
	case <-current.finished:
		return current.connection, current.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// use returns the connection itself, entered, if it is live, else one that replaces
// it. Failures are those of Connection.
func (s *Sessions) use(ctx context.Context, connection *Connection) (*Connection, error) {
	for connection.lost() || !connection.idle.enter() {
		var err error
		if connection, err = s.Connection(ctx, connection.server); err != nil {
			return nil, err
		}
	}
	return connection, nil
}

// attempt returns the attempt that made the live connection or is about to,
// beginning one if there is none.
func (s *Sessions) attempt(ctx context.Context, server domain.Server) (*attempt, error) {
	if unset := server.Unset; unset != nil {
		reason := fmt.Sprintf("environment variable '%s' is not set (%s)", unset.Variable, unset.KeyPath)
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return nil, domain.ErrShuttingDown
	}
	if s.dismissed[server.ID.Toolbox] {
		return nil, &domain.ToolboxNotOpenError{Toolbox: server.ID.Toolbox}
	}
	current := s.attempts[server.ID]
	if current != nil && current.usable() {
		return current, nil
	}
	if reason := s.refusal(server.ID, current); reason != "" {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	// The attempt belongs to all who wait for it, so the first caller's end is not
	// the attempt's.
	attemptCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), server.Limits.Connect)
	begun := newAttempt(cancel, current)
	s.attempts[server.ID] = begun
	s.running.Go(func() { s.run(attemptCtx, begun, server) })
	return begun, nil
}

// close closes one session; its server may take the limit to end, or less if the
// context ends first.
func (s *Sessions) close(ctx context.Context, session ports.Session, limit time.Duration) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := session.Close(bounded); err != nil {
		s.log.Warn("could not close a session", "error", err)
	}
}

// Close ends every attempt and every session, in parallel, and returns when
// nothing is left. From its start on nothing is connected to any more. The
// context bounds the patience with servers: when it ends they are killed. Safe to
// call more than once.
func (s *Sessions) Close(ctx context.Context) {
	s.mu.Lock()
	s.ending = true
	var attempts []*attempt
	for _, current := range s.attempts {
		for ; current != nil; current = current.previous {
			attempts = append(attempts, current)
		}
	}
	s.mu.Unlock()
	var closing sync.WaitGroup // of this caller's own: nothing is added to running once it is waited for
	for _, current := range attempts {
		current.cancel()
		closing.Go(func() {
			<-current.finished
			if current.err == nil {
				s.close(ctx, current.connection.Session, current.connection.server.Limits.Shutdown)
			}
		})
	}
	closing.Wait()
	s.running.Wait()
}
