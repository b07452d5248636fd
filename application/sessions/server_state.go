package sessions

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/reasons"
)

// serverState is all that is known about one server. Its fields are guarded by
// Sessions.mu, like the map that it is in.
type serverState struct {
	newest     *attempt    // the attempt that was made last
	recorded   bool        // how the newest attempt ended is in recovery
	unclosed   []*attempt  // the attempts of which something is left, oldest first
	connection *Connection // the one that calls use, nil before the first and after its toolbox was closed
	recovery   recovery
	// kept are the tools that were shown though the server was not up yet, as they were listed
	// in an earlier run. Nil otherwise.
	kept       *toolList
	hasPrompts bool   // the connection has prompts, or had some that the host still sees
	restarted  string // why connection replaced a lost one, until an opening reports it
}

func (s *Sessions) stateLocked(id domain.ServerID) *serverState {
	state := s.servers[id]
	if state == nil {
		state = &serverState{}
		s.servers[id] = state
	}
	return state
}

// attempt returns the attempt that made the live connection or is about to, and
// begins one if there is none.
func (s *Sessions) attempt(ctx context.Context, server domain.Server) (*attempt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := s.settingsLocked(server)
	if err != nil {
		return nil, err
	}
	if unset := server.Unset; unset != nil {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reasons.Unset(*unset)}
	}
	if server.AtNextStart {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reasons.AtNextStart}
	}
	if s.ending {
		return nil, domain.ErrShuttingDown
	}
	if s.closed[server.ID.Toolbox] {
		return nil, &domain.ToolboxNotOpenError{Toolbox: server.ID.Toolbox}
	}
	state := s.stateLocked(server.ID)
	if state.newest != nil {
		if state.newest.usable() {
			return state.newest, nil
		}
		s.recordEndLocked(server.ID, state.newest)
	}
	if reason := state.recovery.refusal(time.Now()); reason != "" {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	// The attempt belongs to all callers that wait for it, so it does not end with
	// the context of the first one.
	attemptCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), server.Limits.Connect)
	// A call that is still under way with other settings holds nobody up.
	earlier := slices.DeleteFunc(slices.Clone(state.unclosed), (*attempt).isDraining)
	begun := newAttempt(server, cancel)
	state.newest, state.recorded = begun, false
	state.unclosed = append(state.unclosed, begun)
	s.running.Go(func() { s.run(attemptCtx, begun, earlier, server) })
	return begun, nil
}

// recordEnd takes into account that an attempt failed or that its session ended.
func (s *Sessions) recordEnd(id domain.ServerID, ended *attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recordEndLocked(id, ended)
}

func (s *Sessions) recordEndLocked(id domain.ServerID, ended *attempt) {
	state := s.stateLocked(id)
	// Before the next attempt begins, the end of the one before it is recorded.
	if state.newest != ended || state.recorded {
		return
	}
	if s.ending || s.closed[id.Toolbox] || errors.Is(ended.err, domain.ErrShuttingDown) {
		return
	}
	if errors.Is(ended.err, domain.ErrToolboxNotOpen) {
		return // it was closed meanwhile, which is no failure of the server
	}
	state.recorded = true
	if errors.Is(ended.err, domain.ErrLoginRequired) {
		return // the server works, and is tried again as soon as somebody asks for it
	}
	now := time.Now()
	if ended.err != nil {
		s.known.remove(id)
		state.kept = nil
		state.recovery.failed(now, domain.Reason(ended.err), rand.Float64())
		return
	}
	state.recovery.ended(now.Sub(ended.up))
	if why, failed := ended.connection.life.failure(); failed {
		state.recovery.failed(now, why, rand.Float64())
		state.recovery.lost = why
	}
}

// publish makes a connection the one that calls use. It returns why the one that it
// replaces was lost, "" if none was. If the toolbox was closed meanwhile, it ends
// the connection instead.
func (s *Sessions) publish(begun *attempt, connection *Connection) (lost string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := connection.Server.ID
	if begun.replaced.Load() {
		return "" // a Reload, which waits for the attempt, ends the connection
	}
	if s.closed[id.Toolbox] {
		connection.life.end(endClosed, "")
		return ""
	}
	state := s.stateLocked(id)
	lost, state.recovery.lost = state.recovery.lost, ""
	state.connection, state.restarted, state.kept = connection, lost, nil
	state.hasPrompts = connection.Session.Declares("prompts")
	s.known.set(id, connection.tools)
	return lost
}

// finishClosing notes that nothing is left of an attempt.
func (s *Sessions) finishClosing(id domain.ServerID, closed *attempt) {
	s.mu.Lock()
	state := s.stateLocked(id)
	state.unclosed = slices.DeleteFunc(state.unclosed, func(a *attempt) bool { return a == closed })
	s.mu.Unlock()
	close(closed.closed)
}
