package sessions

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reportPrompts tells the host that the prompts of a server came or went. What a connected
// server reports about its prompts reaches the host by itself.
func (s *Sessions) reportPrompts(server domain.ServerID) {
	s.host.Notify(server, ports.Message{Method: domain.MethodNotificationPromptsListChanged})
}

// reportResources tells the host that the resources of a server came or went, if it has some.
func (s *Sessions) reportResources(connection *Connection) {
	if connection.Session.Declares("resources") {
		s.host.Notify(connection.Server.ID, ports.Message{Method: domain.MethodNotificationResourcesListChanged})
	}
}

// hadPrompts reports whether the server had prompts when it was last connected to.
func (s *Sessions) hadPrompts(id domain.ServerID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	return state != nil && state.hasPrompts
}
