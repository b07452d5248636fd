package sessions

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// TakeRestart returns why the server was restarted since the last call, nil if it was
// not.
func (s *Sessions) TakeRestart(id domain.ServerID) (why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state := s.servers[id]; state != nil {
		why, state.restarted = state.restarted, nil
	}
	return why
}

// reportRestart tells the host that a server was restarted: what it had in memory is
// gone.
func (s *Sessions) reportRestart(id domain.ServerID, lost error) {
	s.log.Warn("restarted the server", "toolbox", id.Toolbox, "server", id.Server, "why", domain.Reason(lost))
	if watcher, ok := s.host.(ports.RestartWatcher); ok {
		watcher.Restarted(id, lost)
	}
}
