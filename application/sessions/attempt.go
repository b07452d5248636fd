package sessions

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Attempt is one attempt to connect to a server, shared by all callers that need the
// server, and the session that resulted. Safe for concurrent use.
type Attempt struct {
	server   domain.Server             // with the settings of the attempt
	begun    atomic.Pointer[time.Time] // when it was made, and then when the server was started
	progress startProgress
	cancel   context.CancelFunc
	hurry    sync.Once     // closes urgent
	urgent   chan struct{} // closed when the server is to be started at once
	finished chan struct{} // closed when the fields below are set
	closed   chan struct{} // closed when nothing is left of the attempt
	replaced atomic.Bool   // the server got other settings since, or was removed

	// Exactly one of the two is set.
	connection *Connection
	err        error
	up         time.Time // when the session began
}

func (a *Attempt) finish(connection *Connection, err error) {
	a.connection, a.err, a.up = connection, err, time.Now()
	close(a.finished)
}

// begin notes that the server is started now.
func (a *Attempt) begin() {
	now := time.Now()
	a.begun.Store(&now)
}

// Hurry makes the attempt start the server at once.
func (a *Attempt) Hurry() { a.hurry.Do(func() { close(a.urgent) }) }

// isUnderWay reports whether the attempt has neither succeeded nor failed.
func (a *Attempt) isUnderWay() bool {
	select {
	case <-a.finished:
		return false
	default:
		return true
	}
}

// usable reports whether the attempt is under way or its session is live.
func (a *Attempt) usable() bool {
	return a.isUnderWay() || a.err == nil && !a.connection.life.isOver()
}

// run makes one attempt and, if it succeeds, returns when the session is lost or
// closed. Nothing may be left of the earlier attempts before it starts the server.
func (s *Sessions) run(ctx context.Context, begun *Attempt, earlier []*Attempt) {
	server := begun.server
	defer s.finishClosing(begun)
	defer begun.cancel()
	connection, err := s.attempt(ctx, begun, earlier)
	if err != nil {
		s.fail(begun, err)
		return
	}
	s.succeed(begun, connection)
	begun.cancel()
	connection.idle.start(connection.stopIdle)
	connection.life.wait()
	connection.idle.stop()
	connection.refresher.stop()
	s.recordEnd(begun)
	s.observeEnd(begun)
	s.logEnd(begun)
	s.closeSession(context.WithoutCancel(ctx), connection.Session, server.Limits.Shutdown)
}

// attempt waits for the turn of an attempt, and connects.
func (s *Sessions) attempt(ctx context.Context, begun *Attempt, earlier []*Attempt) (*Connection, error) {
	server := begun.server
	endTurn, err := s.turns.await(ctx, begun)
	defer endTurn()
	if s.isUnwanted(begun) { // a turn that ended for the same reason may have come first
		err = domain.ErrShuttingDown
	}
	begun.begin()
	ctx, cancel := context.WithTimeout(ctx, server.Limits.Connect)
	defer cancel()
	if err == nil {
		err = awaitClosed(ctx, earlier)
	}
	var connection *Connection
	if err == nil {
		connection, err = s.connect(ctx, server, &begun.progress, s.currentLogLevel)
	}
	if err != nil {
		return nil, s.connectFailure(ctx, server, err)
	}
	return connection, nil
}

// isUnwanted reports whether the server of an attempt is not to be started any more.
func (s *Sessions) isUnwanted(begun *Attempt) bool {
	return begun.replaced.Load() || s.isEnding() || s.isClosed(begun.server.ID.Toolbox)
}

// fail ends an attempt without a connection.
func (s *Sessions) fail(begun *Attempt, err error) {
	id := begun.server.ID
	wasKnown := s.known.Contains(id)
	s.observeStart(begun, domain.ActivityStart, err)
	begun.finish(nil, err)
	s.recordEnd(begun)
	s.notifyWatcher(id)
	if wasKnown && !s.known.Contains(id) && s.hadPrompts(id) {
		s.ReportPrompts(id)
	}
	if begun.replaced.Load() { // the failure is not the server's
		return
	}
	s.logFailure(id, err)
	if isServerFailure(err) {
		s.forget(begun.server)
	}
}

// succeed lets calls use the connection that an attempt made, and tells the host what is
// new with it.
func (s *Sessions) succeed(begun *Attempt, connection *Connection) {
	id := begun.server.ID
	// This is read before anything can use the connection: subscriptions that are made
	// through it need not be made again.
	subscribed := s.ownership.subscriptionsAt(id)
	hadPrompts := s.hadPrompts(id)
	lost := s.publish(begun, connection)
	kind := domain.ActivityStart
	if lost != nil {
		kind = domain.ActivityRestart
	}
	s.observeStart(begun, kind, nil)
	begun.finish(connection, nil)
	s.notifyWatcher(id)
	connection.refresher.follow()
	s.running.Go(func() { connection.refresher.keeper.keep(connection.tools) })
	if lost != nil {
		s.reportRestart(id, lost)
	}
	s.ReportResources(connection)
	if hadPrompts || connection.Session.Declares("prompts") {
		s.ReportPrompts(id)
	}
	s.resubscribe(connection, subscribed)
}

// logEnd logs that a server died, unless the host is gone.
func (s *Sessions) logEnd(ended *Attempt) {
	if why, failed := ended.connection.life.failure(); failed && !s.isEnding() {
		id := ended.server.ID
		s.log.Info("the server died", "toolbox", id.Toolbox, "server", id.Server, "why", domain.Reason(why), "up", time.Since(ended.up).Round(time.Millisecond))
	}
}

func (s *Sessions) logFailure(id domain.ServerID, err error) {
	switch {
	case errors.Is(err, domain.ErrLoginRequired):
		s.log.Info("the server needs a login", "toolbox", id.Toolbox, "server", id.Server, "error", err)
		return
	case errors.Is(err, domain.ErrShuttingDown): // hosts often end soon after they opened a toolbox
		s.log.Info("ended a server that was still starting", "toolbox", id.Toolbox, "server", id.Server)
		return
	}
	s.log.Warn("could not connect to the server", "toolbox", id.Toolbox, "server", id.Server, "error", err)
}

// awaitClosed waits until nothing is left of the attempts: two processes of one server
// must not run at the same time.
func awaitClosed(ctx context.Context, attempts []*Attempt) error {
	for _, earlier := range attempts {
		select {
		case <-earlier.closed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// connectFailure returns the failure of an attempt. If the attempt's own context ended,
// it adds the reason; other failures have one.
func (s *Sessions) connectFailure(ctx context.Context, server domain.Server, err error) error {
	switch {
	case s.isClosed(server.ID.Toolbox):
		return &domain.ToolboxNotOpenError{Toolbox: server.ID.Toolbox}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &domain.ServerUnavailableError{ID: server.ID, Reason: &domain.ConnectTimeoutError{Limit: server.Limits.Connect, Cause: err}, Cause: ctx.Err()}
	case ctx.Err() != nil:
		return domain.ErrShuttingDown
	}
	return err
}

// Start returns the attempt that made the live connection to the server or is still under way.
// Without such an attempt it begins a new one. It does not wait. Failures: those of Connect, except for
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
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: server.UnsetReason()}
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
