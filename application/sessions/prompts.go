package sessions

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reportPrompts tells the host that the prompts of a server came or went. What a server
// says of its prompts while it is connected reaches the host by itself.
func (s *Sessions) reportPrompts(server domain.ServerID) {
	s.host.Notify(server, ports.Message{Method: domain.MethodNotificationPromptsListChanged})
}

// hadPrompts reports whether the server had prompts when it was last connected to.
func (s *Sessions) hadPrompts(id domain.ServerID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.servers[id]
	return state != nil && state.hasPrompts
}
