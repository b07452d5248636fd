package sessions

import (
	"context"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// StartEarly is Start for a server whose toolbox is not open. Until AllowToolbox, Last does
// not return its connection, so that it has no resources and no prompts for the host.
// Failures: those of Start.
func (s *Sessions) StartEarly(ctx context.Context, server domain.Server) error {
	s.mu.Lock()
	if toolbox := server.ID.Toolbox; !s.allowed[toolbox] {
		s.early[toolbox] = true
	}
	s.mu.Unlock()
	_, err := s.Start(ctx, server)
	return err
}

// announceEarly tells the host of what servers have that were up before their toolbox was
// opened.
func (s *Sessions) announceEarly(toolbox domain.ToolboxName) {
	for _, connection := range s.live() {
		if connection.Server.ID.Toolbox != toolbox {
			continue
		}
		if connection.Session.Declares("resources") {
			s.host.Notify(connection.Server.ID, ports.Message{Method: domain.MethodNotificationResourcesListChanged})
		}
		if connection.Session.Declares("prompts") {
			s.reportPrompts(connection.Server.ID)
		}
	}
}
