package sessions

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Start returns the attempt that made the live connection to the server or is still under way,
// and begins one if there is none. It does not wait. Failures: those of Connect, except for
// the context's.
func (s *Sessions) Start(ctx context.Context, server domain.Server) (*Attempt, error) {
	current, err := s.StartInTurn(ctx, server)
	if err == nil {
		current.Hurry()
	}
	return current, err
}

// StartInTurn is Start for a server that no caller waits for: the server is started in its turn, or when Hurry is
// called.
func (s *Sessions) StartInTurn(ctx context.Context, server domain.Server) (*Attempt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.settingsLocked(server)
	if err != nil {
		return nil, err
	}
	state := s.stateLocked(server.ID)
	switch {
	case server.Unset != nil:
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: server.Unset}
	case server.AtNextStart:
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: domain.ErrAtNextStart}
	case s.ending:
		return nil, domain.ErrShuttingDown
	case state.toolbox.closed:
		return nil, &domain.ToolboxNotOpenError{Toolbox: server.ID.Toolbox}
	}
	if state.newest != nil {
		if state.newest.usable() {
			return state.newest, nil
		}
		s.recordEndLocked(state.newest)
	}
	if reason := state.recovery.refusal(time.Now()); reason != nil {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	// The attempt belongs to all callers that wait for it, so it does not end with
	// the context of the first one.
	attemptCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	begun := &Attempt{
		server: server, cancel: cancel,
		urgent: make(chan struct{}), finished: make(chan struct{}), closed: make(chan struct{}),
	}
	begun.begin()
	earlier := state.begin(begun)
	s.running.Go(func() { s.run(attemptCtx, begun, earlier) })
	return begun, nil
}

// recordEnd records that an attempt failed or that its session ended.
func (s *Sessions) recordEnd(ended *Attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recordEndLocked(ended)
}

func (s *Sessions) recordEndLocked(ended *Attempt) {
	if id := ended.server.ID; !s.ending && s.stateLocked(id).recordEnd(ended) {
		s.known.remove(id)
	}
}

// publish makes the connection of an attempt the one that calls use. It returns why the
// connection before was lost, nil if none was. If the toolbox was closed meanwhile, it ends the
// connection instead.
func (s *Sessions) publish(begun *Attempt, connection *Connection) (lost error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := begun.server.ID
	state := s.stateLocked(id)
	switch {
	case begun.replaced.Load(): // a Reload, which waits for the attempt, ends the connection
		return nil
	case state.toolbox.closed:
		connection.life.end(endClosed, nil)
		return nil
	}
	s.known.set(id, connection.tools)
	return state.publish(connection)
}

// finishClosing notes that nothing is left of an attempt.
func (s *Sessions) finishClosing(closed *Attempt) {
	s.mu.Lock()
	state := s.stateLocked(closed.server.ID)
	state.unclosed = slices.DeleteFunc(state.unclosed, func(a *Attempt) bool { return a == closed })
	s.mu.Unlock()
	close(closed.closed)
}

// Since returns when the attempt began. It is later once its turn came.
func (a *Attempt) Since() time.Time { return *a.begun.Load() }

// Ended returns a channel that is closed when the attempt has succeeded or failed.
func (a *Attempt) Ended() <-chan struct{} { return a.finished }

// Outcome returns the connection that the attempt made, or why it failed. The attempt must have
// ended.
func (a *Attempt) Outcome() (*Connection, error) {
	if a.replaced.Load() {
		return nil, &domain.ServerUnavailableError{ID: a.server.ID, Reason: domain.ErrReplacedMeanwhile}
	}
	return a.connection, a.err
}

// MayDownload reports whether the server may still be downloaded.
func (a *Attempt) MayDownload() bool { return a.progress.current().MayDownload }

// Overdue returns the failure of an attempt that callers give up on after that time. It
// includes what the server wrote meanwhile that is no message.
func (a *Attempt) Overdue(waited time.Duration) error {
	return a.overdue(domain.StillStartingError{Waited: waited})
}

func (a *Attempt) overdue(late domain.StillStartingError) error {
	start := a.progress.current()
	late.Installing = start.Installing
	if start.Installing == "" && start.Stderr != nil {
		late.Stderr = start.Stderr()
	}
	if start.Output != nil {
		late.Output = start.Output()
	}
	return &domain.ServerUnavailableError{ID: a.server.ID, Reason: &late}
}

// startProgress is the last report of the transport about a start. Safe for concurrent use.
type startProgress struct {
	mu    sync.Mutex // guards start
	start ports.Start
}

// Starting implements ports.StartWatcher.
func (p *startProgress) Starting(start ports.Start) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start = start
}

// connected notes that the server runs, so that it is no longer being downloaded.
func (p *startProgress) connected() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start.MayDownload, p.start.Installing = false, ""
}

func (p *startProgress) current() ports.Start {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.start
}
