package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/reasons"
	"mcp-workbench/ports"
)

// attempt is one attempt to connect to a server, shared by all callers that need the
// server, and the session that resulted.
type attempt struct {
	server   domain.Server // with the settings that it is made with
	begun    time.Time
	progress startProgress
	cancel   context.CancelFunc
	finished chan struct{} // closed when the fields below are set
	closed   chan struct{} // closed when nothing is left of the attempt
	replaced atomic.Bool   // the server has other settings now, or none

	// Exactly one of the two is set.
	connection *Connection
	err        error
	up         time.Time // when the session began
}

func newAttempt(server domain.Server, cancel context.CancelFunc) *attempt {
	return &attempt{
		server: server, begun: time.Now(), cancel: cancel, finished: make(chan struct{}), closed: make(chan struct{}),
	}
}

func (a *attempt) finish(connection *Connection, err error) {
	a.connection, a.err, a.up = connection, err, time.Now()
	close(a.finished)
}

// usable reports whether the attempt is under way or its session lives.
func (a *attempt) usable() bool {
	select {
	case <-a.finished:
		return a.err == nil && !a.connection.life.isOver()
	default:
		return true
	}
}

// run makes one attempt and, if it succeeds, returns when the session is lost or
// closed. Nothing may be left of the earlier attempts before it starts the server.
func (s *Sessions) run(ctx context.Context, begun *attempt, earlier []*attempt, server domain.Server) {
	defer s.finishClosing(server.ID, begun)
	defer begun.cancel()
	connection, err := s.connect(ctx, earlier, server, &begun.progress)
	if err != nil {
		wasKnown := s.known.Contains(server.ID)
		begun.finish(nil, err)
		s.recordEnd(server.ID, begun)
		s.notifyWatcher(server.ID)
		if wasKnown && !s.known.Contains(server.ID) && s.hadPrompts(server.ID) {
			s.reportPrompts(server.ID)
		}
		if !begun.replaced.Load() { // otherwise the failure is not the server's
			s.logFailure(server.ID, err)
		}
		return
	}
	// This is read before anybody can use the connection, since what is subscribed to
	// through it needs no second subscription.
	subscribed := s.ownership.of(server.ID)
	hadPrompts := s.hadPrompts(server.ID)
	lost := s.publish(begun, connection)
	begun.finish(connection, nil)
	s.notifyWatcher(server.ID)
	connection.refresher.follow()
	s.running.Go(func() { connection.refresher.keeper.keep(connection.tools) })
	if lost != "" {
		s.reportRestart(server.ID, lost)
	}
	if connection.Session.Declares("resources") {
		s.host.Notify(server.ID, ports.Message{Method: domain.MethodNotificationResourcesListChanged})
	}
	if hadPrompts || connection.Session.Declares("prompts") {
		s.reportPrompts(server.ID)
	}
	s.resubscribe(connection, subscribed)
	begun.cancel()
	connection.idle.start(connection.stopIdle)
	connection.life.wait()
	connection.idle.stop()
	connection.refresher.stop()
	s.recordEnd(server.ID, begun)
	s.closeSession(context.WithoutCancel(ctx), connection.Session, server.Limits.Shutdown)
}

func (s *Sessions) logFailure(id domain.ServerID, err error) {
	switch {
	case errors.Is(err, domain.ErrLoginRequired):
		s.log.Info("the server needs a login", "toolbox", id.Toolbox, "server", id.Server, "error", err)
		return
	case errors.Is(err, domain.ErrShuttingDown): // a host that ends soon after it opened a toolbox is usual
		s.log.Info("ended a server that was still starting", "toolbox", id.Toolbox, "server", id.Server)
		return
	}
	s.log.Warn("could not connect to the server", "toolbox", id.Toolbox, "server", id.Server, "error", err)
}

// connect connects to the server and lists its tools, once nothing is left of the
// earlier attempts. The context carries the limit on connecting.
func (s *Sessions) connect(
	ctx context.Context, earlier []*attempt, server domain.Server, progress *startProgress,
) (*Connection, error) {
	if err := awaitClosed(ctx, earlier); err != nil {
		return nil, s.connectFailure(ctx, server, err)
	}
	idle := newIdleness(server.Limits.Idle)
	keeper := s.newKeeper(server)
	tools := &toolList{toolRules: toolRules{server: server, pins: s.pins, keepsWhole: keeper != nil, log: s.log}}
	refresher := &toolRefresher{tools: tools, idle: idle, keeper: keeper, watcher: s.watcher, log: s.log}
	server.Withhold = s.withhold(server.ID)
	session, err := s.connector.Connect(ctx, server, &serverHost{
		Host: s.host, ownership: s.ownership, log: s.log, startProgress: progress, idle: idle, tools: refresher,
		notices: newNotices(func(notice ports.Message) { s.host.Notify(server.ID, notice) }),
	})
	if err != nil {
		return nil, s.connectFailure(ctx, server, err)
	}
	progress.connected()
	if level := s.currentLogLevel(); level != "" {
		session.SetLogLevel(level)
	}
	if err := refresher.listFirst(ctx, session); err != nil {
		s.closeSession(context.WithoutCancel(ctx), session, server.Limits.Shutdown)
		return nil, s.connectFailure(ctx, server, err)
	}
	if keeper != nil && string(s.declared(server)) != string(keeper.capabilities) {
		refresher.keeper = nil // it may have listed them to either host
	}
	return &Connection{
		Session: session, session: session, Server: server, tools: tools, refresher: refresher,
		life: newLifetime(session), idle: idle, log: s.log,
	}, nil
}

// withhold returns what keeps the words of a server out of messages while the lock must have all
// that a model reads of it. They are in the log then.
func (s *Sessions) withhold(id domain.ServerID) func(words string) bool {
	return func(words string) bool {
		if !s.pins.Blocks() {
			return false
		}
		s.log.Warn("withheld words of the server that no model is shown", "toolbox", id.Toolbox, "server", id.Server, "words", words)
		return true
	}
}

// declared returns what the server is told that the host can do.
func (s *Sessions) declared(server domain.Server) json.RawMessage {
	if server.Shared { // several hosts have the session
		return json.RawMessage("{}")
	}
	return s.host.Capabilities()
}

// awaitClosed waits until nothing is left of the attempts: two processes of
// one server must not run at once.
func awaitClosed(ctx context.Context, attempts []*attempt) error {
	for _, earlier := range attempts {
		select {
		case <-earlier.closed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// connectFailure returns the failure of an attempt. The end of the attempt's own
// context gets a reason; other failures have one.
func (s *Sessions) connectFailure(ctx context.Context, server domain.Server, err error) error {
	switch {
	case s.isClosed(server.ID.Toolbox):
		return &domain.ToolboxNotOpenError{Toolbox: server.ID.Toolbox}
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &domain.ServerUnavailableError{ID: server.ID, Reason: reasons.ConnectTimeout(server.Limits.Connect, err), Cause: ctx.Err()}
	case ctx.Err() != nil:
		return domain.ErrShuttingDown
	}
	return err
}

// reportRestart tells the host that a server was restarted: what it had in memory is
// gone.
func (s *Sessions) reportRestart(id domain.ServerID, lost string) {
	s.log.Warn("restarted the server", "toolbox", id.Toolbox, "server", id.Server, "why", lost)
	s.host.Notify(id, ports.Message{Method: domain.MethodNotificationMessage, Params: restartMessage(id, lost)})
}

// restartMessage returns the parameters of a log message about a restarted server.
func restartMessage(id domain.ServerID, why string) json.RawMessage {
	return json.RawMessage(`{"level":"warning","data":` + quote(reasons.Restarted(id, why)) + `}`)
}

// quote returns text as a JSON string.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""` // cannot happen: every string has a JSON form
	}
	return string(quoted)
}
