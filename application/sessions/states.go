package sessions

import (
	"errors"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

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

var _ ports.ServerSessions = (*Sessions)(nil)

// Statuses implements ports.ServerSessions.
func (s *Sessions) Statuses(each func(ports.ServerStatus)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, state := range s.servers {
		server, now, isNeeded := state.now()
		if !isNeeded {
			continue
		}
		status := ports.ServerStatus{Server: server, State: string(now), Earlier: state.earlier}
		if state.newest != nil {
			status.Since, status.Process = state.newest.since(), state.newest.progress.current().Process
		}
		each(status)
	}
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
