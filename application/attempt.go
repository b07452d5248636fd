package application

import (
	"context"
	"errors"
	"fmt"

	"mcp-workbench/domain"
)

// attempt is one try to connect to a server, shared by all who need it.
type attempt struct {
	cancel   context.CancelFunc
	finished chan struct{} // closed when the fields below are set
	// Exactly one of the two is set.
	connection *Connection
	err        error
}

func (a *attempt) finish(connection *Connection, err error) {
	a.connection, a.err = connection, err
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

// connect connects to the server and lists its tools, within the limit on
// connecting that the context carries.
func (s *Sessions) connect(ctx context.Context, server domain.Server) (*Connection, error) {
	hearing := &hearing{Host: s.host}
	session, err := s.connector.Connect(ctx, server, hearing)
	if err != nil {
		return nil, s.connectFailure(ctx, server, err)
	}
	if level := s.currentLogLevel(); level != "" {
		session.SetLogLevel(level)
	}
	hearing.toolsChanged.Store(false)
	list, err := session.ListTools(ctx)
	if err != nil {
		s.close(context.WithoutCancel(ctx), session, server.Limits.Shutdown)
		return nil, s.connectFailure(ctx, server, err)
	}
	connection := &Connection{Session: session, hearing: hearing, server: server, log: s.log}
	connection.show(list)
	return connection, nil
}

// connectFailure words the end of the attempt's own context; other failures
// already say what they are.
func (s *Sessions) connectFailure(ctx context.Context, server domain.Server, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		reason := fmt.Sprintf("connection timeout after %gs (limits.connect raises it)", server.Limits.Connect.Seconds())
		return &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	case ctx.Err() != nil:
		return domain.ErrShuttingDown
	}
	return err
}
