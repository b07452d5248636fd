package application

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Sessions decides when servers are connected to. A server is connected to on
// first need, by one attempt that all who need it share; an attempt outlives the
// callers that leave it; a failed attempt is forgotten, a lost session replaced
// on next need; no two sessions of one server are ever live; everything is closed
// once, at the end, and closing starts nothing. Safe for concurrent use.
type Sessions struct {
	connector ports.Connector
	host      ports.Host
	log       *slog.Logger

	mu       sync.Mutex // guards the fields below; nothing blocks under it
	attempts map[domain.ServerID]*attempt
	known    map[domain.ServerID]*Connection
	logLevel string // that the host asked for, "" if it did not
	ending   bool
	running  sync.WaitGroup // attempts under way and sessions not yet closed
}

// NewSessions returns the policy over a connector. What servers say and ask on
// their own goes to the host.
func NewSessions(connector ports.Connector, host ports.Host, log *slog.Logger) *Sessions {
	return &Sessions{
		connector: connector, host: host, log: log,
		attempts: map[domain.ServerID]*attempt{}, known: map[domain.ServerID]*Connection{},
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
// domain.ErrShuttingDown, the context's.
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
	if current, ok := s.attempts[server.ID]; ok && current.usable() {
		return current, nil
	}
	// The attempt belongs to all who wait for it, so the first caller's end is not
	// the attempt's.
	attemptCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), server.Limits.Connect)
	begun := &attempt{cancel: cancel, finished: make(chan struct{})}
	s.attempts[server.ID] = begun
	s.running.Go(func() { s.run(attemptCtx, begun, server) })
	return begun, nil
}

// run carries one attempt out and, if it succeeds, stays until the session is
// lost or closed.
func (s *Sessions) run(ctx context.Context, begun *attempt, server domain.Server) {
	defer begun.cancel()
	connection, err := s.connect(ctx, server)
	if err != nil {
		begun.finish(nil, err)
		s.log.Warn("could not connect to the server", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		return
	}
	s.mu.Lock()
	s.known[server.ID] = connection
	s.mu.Unlock()
	begun.finish(connection, nil)
	if connection.Session.Declares("resources") {
		s.host.Tell(server.ID, domain.Message{Method: "notifications/resources/list_changed"})
	}
	begun.cancel()
	<-connection.Session.Done()
	s.close(context.WithoutCancel(ctx), connection.Session, server.Limits.Shutdown)
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
	attempts := slices.Collect(maps.Values(s.attempts))
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
