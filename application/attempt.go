package application

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// attempt is one try to connect to a server, shared by all who need it, and the
// session that came of it.
type attempt struct {
	cancel   context.CancelFunc
	finished chan struct{} // closed when connection and err are set
	closed   chan struct{} // closed when nothing is left of the attempt
	// Exactly one of the two is set.
	connection *Connection
	err        error
	up         time.Time // since when the session is there

	// Guarded by the lock of the sessions:
	previous  *attempt // that may not be closed yet
	settled   bool     // its failure counted
	dismissed bool     // its toolbox was closed
}

func newAttempt(cancel context.CancelFunc, previous *attempt) *attempt {
	return &attempt{cancel: cancel, finished: make(chan struct{}), closed: make(chan struct{}), previous: previous}
}

func (a *attempt) finish(connection *Connection, err error) {
	a.connection, a.err, a.up = connection, err, time.Now()
	close(a.finished)
}

// usable reports whether the attempt is under way or its session lives.
func (a *attempt) usable() bool {
	select {
	case <-a.finished:
		return a.err == nil && !a.connection.lost()
	default:
		return true
	}
}

// run carries one attempt out and, if it succeeds, stays until the session is
// lost or closed.
func (s *Sessions) run(ctx context.Context, begun *attempt, server domain.Server) {
	defer close(begun.closed)
	defer begun.cancel()
	connection, err := s.connect(ctx, begun, server)
	if err != nil {
		begun.finish(nil, err)
		s.settle(server.ID, begun)
		s.tellChange(server.ID)
		s.log.Warn("could not connect to the server", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		return
	}
	lost := s.show(begun, connection)
	begun.finish(connection, nil)
	s.tellChange(server.ID)
	connection.relistSoon() // if the server said meanwhile that its tools changed
	if lost != "" {
		s.tellRestart(server.ID, lost)
	}
	if connection.Session.Declares("resources") {
		s.host.Notify(server.ID, ports.Message{Method: domain.MethodNotificationResourcesListChanged})
	}
	begun.cancel()
	connection.idle.start()
	connection.awaitEnd()
	connection.idle.stop()
	s.settle(server.ID, begun)
	s.close(context.WithoutCancel(ctx), connection.Session, server.Limits.Shutdown)
}

// connect connects to the server and lists its tools, once nothing is left of the
// previous attempt, within the limit on connecting that the context carries.
func (s *Sessions) connect(ctx context.Context, begun *attempt, server domain.Server) (*Connection, error) {
	if err := s.awaitPrevious(ctx, begun); err != nil {
		return nil, s.connectFailure(ctx, begun, server, err)
	}
	connection := newConnection(server, s.host, s.pinning, s.changed, s.log)
	session, err := s.connector.Connect(ctx, server, connection.hearing)
	if err != nil {
		return nil, s.connectFailure(ctx, begun, server, err)
	}
	if level := s.currentLogLevel(); level != "" {
		session.SetLogLevel(level)
	}
	connection.hearing.toolsChanged.Store(false)
	list, err := session.ListTools(ctx)
	if err != nil {
		s.close(context.WithoutCancel(ctx), session, server.Limits.Shutdown)
		return nil, s.connectFailure(ctx, begun, server, err)
	}
	connection.Session = session
	connection.show(list)
	return connection, nil
}

// connectFailure words the end of the attempt's own context; other failures
// already say what they are.
func (s *Sessions) connectFailure(ctx context.Context, begun *attempt, server domain.Server, err error) error {
	switch {
	case s.wasDismissed(begun):
		return &domain.ToolboxNotOpenError{Toolbox: server.ID.Toolbox}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		reason := fmt.Sprintf("connection timeout after %gs (limits.connect raises it)", server.Limits.Connect.Seconds())
		if unavailable, ok := errors.AsType[*domain.ServerUnavailableError](err); ok {
			reason += "; " + unavailable.Reason
		}
		return &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	case ctx.Err() != nil:
		return domain.ErrShuttingDown
	}
	return err
}
