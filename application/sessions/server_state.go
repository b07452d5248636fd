package sessions

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// toolboxState is all that is known about one toolbox. Sessions.mu guards it.
type toolboxState struct {
	closed    bool // its servers must not be connected to
	wasOpened bool
	early     bool // some of its servers were started before it was opened
}

// serverState is all that is known about one server. Sessions.mu guards it, and is held while
// its methods are called.
type serverState struct {
	toolbox    *toolboxState
	newest     *Attempt    // the last attempt
	recorded   bool        // recovery includes the end of the newest attempt
	unclosed   []*Attempt  // the attempts that are not fully closed, oldest first
	connection *Connection // the connection that calls use, nil before the first and after the toolbox was closed
	recovery   recovery
	earlier    ports.ServerProcess // of the attempt before the newest one, nil for none
	// kept are the tools that were listed in an earlier run and shown before the server was
	// up, nil if none were.
	kept       *toolList
	failed     error  // why the server could not be started after it was shown, until an opening reports it
	shown      *Shown // what the host was shown since the server was last up, nil if nothing was
	hasPrompts bool   // the host may see prompts of the server
	restarted  error  // why the connection before was lost, until an opening reports it
}

// isLive reports whether the server has a connection that can be used.
func (s *serverState) isLive() bool { return s.connection != nil && !s.connection.life.isOver() }

// begin makes an attempt the newest one, and returns the earlier attempts that must be fully
// closed before it starts the server. They do not include a replaced connection with other
// settings that still has calls under way, nor one of a shared server, which the attempt joins.
//
// Decision: a server that gets its former settings back, such as one that is disabled and enabled, waits for those
// calls, since its two processes would use the same files and ports. 'restart' ends them.
func (s *serverState) begin(begun *Attempt) (earlier []*Attempt) {
	earlier = slices.DeleteFunc(slices.Clone(s.unclosed), func(a *Attempt) bool {
		return a.isDraining() && (a.server.Shared || !a.server.Equal(begun.server))
	})
	s.noteEarlier()
	s.newest, s.recorded = begun, false
	s.unclosed = append(s.unclosed, begun)
	return earlier
}

// noteEarlier keeps the process of the newest attempt, so that the user can still see its output.
func (s *serverState) noteEarlier() {
	if s.newest == nil {
		return
	}
	if process := s.newest.progress.current().Process; process != nil {
		s.earlier = process
	}
}

// recordEnd records in recovery that an attempt failed or that its session ended. It must be
// called before the next attempt begins. It reports whether the server's tools are gone.
func (s *serverState) recordEnd(ended *Attempt) (toolsGone bool) {
	switch {
	case s.newest != ended || s.recorded || s.toolbox.closed:
		return false
	case errors.Is(ended.err, domain.ErrShuttingDown), errors.Is(ended.err, domain.ErrToolboxNotOpen):
		return false // not a failure of the server
	}
	s.recorded = true
	now := time.Now()
	switch {
	case errors.Is(ended.err, domain.ErrLoginRequired):
		return false // the server works, and is tried again at its next use
	case ended.err != nil:
		if ended.server.Start.IsLazy() && (s.kept != nil || s.connection != nil) {
			s.failed = ended.err
		}
		s.kept = nil
		s.recovery.failed(now, ended.err, rand.Float64())
		return true
	}
	s.recovery.ended(now.Sub(ended.up))
	if why, failed := ended.connection.life.failure(); failed {
		s.recovery.failed(now, why, rand.Float64())
		s.recovery.lost = why
	}
	return false
}

// publish makes a connection the one that calls use. It returns why the connection before
// was lost, nil if none was.
func (s *serverState) publish(connection *Connection) (lost error) {
	lost, s.recovery.lost = s.recovery.lost, nil
	connection.shown.Store(s.shownBefore())
	s.shown = nil
	s.connection, s.restarted, s.kept = connection, lost, nil
	s.hasPrompts = connection.Session.Declares("prompts")
	return lost
}

// isServerFailure reports whether an attempt failed because of the server, which does not only wait for a login.
func isServerFailure(err error) bool {
	return !errors.Is(err, domain.ErrShuttingDown) && !errors.Is(err, domain.ErrToolboxNotOpen) && !errors.Is(err, domain.ErrLoginRequired)
}

// canShowKept reports whether tools that were listed earlier can be shown during an attempt.
// After a failure they cannot, since the server may fail again.
func (s *serverState) canShowKept(during *Attempt) bool {
	return s.newest == during && during.isUnderWay() && s.recovery.inRow == 0 && !s.isLive() && !s.toolbox.closed
}

// canWait reports whether the server can stay down until it is used: it neither runs nor failed.
func (s *serverState) canWait() bool {
	if s.toolbox.closed || s.recovery.inRow > 0 {
		return false
	}
	if s.newest == nil {
		return true
	}
	state := s.newest.state()
	return state == StateIdle || state == StateStopped
}

// retire forgets the attempt and the connection with other settings than those now in force,
// nil for a removed server. With new settings the server may work, so earlier failures do not
// count.
func (s *serverState) retire(now *domain.Server) retiredServer {
	retired := retiredServer{attempt: s.newest, connection: s.connection, kept: s.kept, now: now}
	if now == nil {
		retired.hadPrompts, s.hasPrompts = s.hasPrompts, false
	}
	s.newest.replaced.Store(true)
	s.noteEarlier()
	s.newest, s.connection, s.restarted, s.kept, s.recovery = nil, nil, nil, nil, recovery{}
	if retired.connection != nil && now != nil {
		s.recovery.lost = domain.ErrReplaced
	}
	return retired
}

// endDraining ends the connections that were replaced and are still used.
func (s *serverState) endDraining(cause endCause) {
	for _, unclosed := range s.unclosed {
		if unclosed.isDraining() {
			unclosed.connection.life.end(cause, nil)
		}
	}
}

// close forgets the connection, since the toolbox was closed. It returns the attempts that are
// not fully closed, and whether the server had prompts.
func (s *serverState) close() (left []*Attempt, hadPrompts bool) {
	s.endDraining(endClosed)
	if s.connection != nil {
		s.connection.life.end(endClosed, nil)
	}
	hadPrompts = s.hasPrompts
	// Nothing outlives the closing of the toolbox.
	s.connection, s.hasPrompts, s.recovery.lost, s.restarted, s.kept, s.shown = nil, false, nil, nil, nil, nil
	return slices.Clone(s.unclosed), hadPrompts
}

// State tells what a server is doing.
type State string

// The states of a server that was needed at least once.
const (
	// StateStarting: the server is being connected to.
	StateStarting State = "starting"
	// StateRunning: the server has a live session.
	StateRunning State = "running"
	// StateIdle: the server was stopped as idle.
	StateIdle State = "idle"
	// StateWaitsForLogin: the server needs a login.
	StateWaitsForLogin State = "login"
	// StateFailed: the server could not be connected to, or its session was lost.
	StateFailed State = "failed"
	// StateStopped: the server was stopped with its toolbox.
	StateStopped State = "stopped"
	// StateAtUse: the tools of the server are shown, and it is started when it is used.
	StateAtUse State = "starts at its first use"
)

// States returns every state, in the order of a server's life.
func States() []State {
	return []State{StateStarting, StateRunning, StateIdle, StateWaitsForLogin, StateFailed, StateStopped, StateAtUse}
}

// now returns a server with the settings of its last start, or with those that it will be started with, and what it is
// doing. It reports false for a server that was not needed yet.
func (s *serverState) now() (server domain.Server, now State, isNeeded bool) {
	switch {
	case s.kept != nil && (s.newest == nil || s.newest.state() == StateStopped):
		return s.kept.server, StateAtUse, true
	case s.newest == nil:
		return domain.Server{}, "", false
	}
	return s.newest.server, s.newest.state(), true
}

func (a *Attempt) state() State {
	switch {
	case a.isUnderWay():
		return StateStarting
	case a.usable():
		return StateRunning
	case errors.Is(a.err, domain.ErrLoginRequired):
		return StateWaitsForLogin
	case a.err != nil:
		return StateFailed
	case a.connection.IsAsleep():
		return StateIdle
	}
	if _, failed := a.connection.life.failure(); failed {
		return StateFailed
	}
	return StateStopped
}

// since returns when the attempt began if it is under way, or when its session began if that is live,
// otherwise the zero time.
func (a *Attempt) since() time.Time {
	switch {
	case a.isUnderWay():
		return a.Since()
	case a.usable():
		return a.up
	}
	return time.Time{}
}
