package sessions

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reportPrompts tells the host that the prompts of a server came or went. Reports of a
// connected server about its prompts are passed on to the host anyway.
func (s *Sessions) reportPrompts(server domain.ServerID) {
	s.host.Notify(server, ports.Notification{Kind: ports.PromptsChanged})
}

// reportResources tells the host that the resources of a server came or went, if the server has
// any.
func (s *Sessions) reportResources(connection *Connection) {
	if connection.Session.Declares("resources") {
		s.host.Notify(connection.Server.ID, ports.Notification{Kind: ports.ResourcesChanged})
	}
}

// hadPrompts reports whether the server had prompts when it was last connected to.
func (s *Sessions) hadPrompts(id domain.ServerID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	return state != nil && state.hasPrompts
}

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

// TakeFailure returns why a server could not be started after it was shown since the last call, nil if it could.
func (s *Sessions) TakeFailure(id domain.ServerID) (why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state := s.servers[id]; state != nil {
		why, state.failed = state.failed, nil
	}
	return why
}

// reportRestart tells the host that a server was restarted and lost what it had in
// memory.
func (s *Sessions) reportRestart(id domain.ServerID, lost error) {
	s.log.Warn("restarted the server", "toolbox", id.Toolbox, "server", id.Server, "why", domain.Reason(lost))
	if watcher, ok := s.host.(ports.RestartWatcher); ok {
		watcher.Restarted(id, lost)
	}
}
