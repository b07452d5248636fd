package sessions

import (
	"context"

	"mcp-workbench/domain"
)

// BeginRestart implements ports.ServerSessions.
func (s *Sessions) BeginRestart(id domain.ServerID) (finish func(ctx context.Context) error) {
	retired, server := s.retireOne(id)
	if retired == nil {
		return nil
	}
	if retired.connection != nil {
		retired.connection.life.end(endRestarted, nil)
	}
	retired.end(s)
	return func(ctx context.Context) error {
		_, err := s.Connect(ctx, server)
		return err
	}
}

// retireOne forgets the connection, the attempt and the failures of a server, and returns the retired
// server with the settings in force. It returns nil for a server that does not run, unless it failed.
func (s *Sessions) retireOne(id domain.ServerID) (retired *retiredServer, server domain.Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	if state == nil || state.newest == nil || s.ending || state.toolbox.closed {
		return nil, domain.Server{}
	}
	switch state.newest.state() {
	case StateStarting, StateRunning, StateFailed:
	default:
		return nil, domain.Server{}
	}
	server, err := s.settingsLocked(state.newest.server)
	if err != nil {
		return nil, domain.Server{}
	}
	state.endDraining(endRestarted)
	wasUp := state.connection != nil
	forgotten := state.retire(&server)
	if wasUp {
		state.recovery.lost = domain.ErrRestarted
	}
	return &forgotten, server
}
