package sessions

import (
	"context"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// StartEarly is Start for a server whose toolbox is not open. Until AllowToolbox is called,
// Last does not return its connection, so the host sees none of its resources and prompts.
// Failures: those of Start.
func (s *Sessions) StartEarly(ctx context.Context, server domain.Server) error {
	s.mu.Lock()
	if toolbox := s.toolboxLocked(server.ID.Toolbox); !toolbox.wasOpened {
		toolbox.early = true
	}
	s.mu.Unlock()
	_, err := s.Start(ctx, server)
	return err
}

// AllowToolbox lets the servers of a toolbox be connected to again after CloseToolbox. Servers
// that StartEarly started become visible, and the host is told so.
func (s *Sessions) AllowToolbox(name domain.ToolboxName) {
	s.mu.Lock()
	toolbox := s.toolboxLocked(name)
	wasEarly := toolbox.early
	*toolbox = toolboxState{wasOpened: true}
	s.mu.Unlock()
	if !wasEarly {
		return
	}
	for _, connection := range s.live() {
		if connection.Server.ID.Toolbox != name {
			continue
		}
		s.ReportResources(connection)
		if connection.Session.Declares("prompts") {
			s.ReportPrompts(connection.Server.ID)
		}
	}
}

// CloseToolbox ends every attempt and every session of a toolbox, and returns when
// nothing is left of them. No session is made from then on until AllowToolbox, which must
// not be called before CloseToolbox has returned. The limits of the servers bound how
// long they may take to end.
func (s *Sessions) CloseToolbox(toolbox domain.Toolbox) {
	attempts, hadPrompts := s.endToolbox(toolbox)
	for _, attempt := range attempts {
		attempt.cancel()
	}
	for _, id := range hadPrompts {
		s.ReportPrompts(id)
	}
	for _, attempt := range attempts {
		<-attempt.closed
	}
}

// endToolbox forgets the connections of a toolbox. It returns the attempts that are not
// fully closed, and the servers that had prompts.
func (s *Sessions) endToolbox(toolbox domain.Toolbox) (attempts []*Attempt, hadPrompts []domain.ServerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.toolboxLocked(toolbox.Name).closed = true
	for _, server := range toolbox.Servers {
		s.known.remove(server.ID)
		s.ownership.removeServer(server.ID)
		left, hasPrompts := s.stateLocked(server.ID).close()
		attempts = append(attempts, left...)
		if hasPrompts {
			hadPrompts = append(hadPrompts, server.ID)
		}
	}
	return attempts, hadPrompts
}

func (s *Sessions) isClosed(toolbox domain.ToolboxName) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.toolboxLocked(toolbox).closed
}

// Starting returns the servers of a toolbox that are starting, by name.
func (s *Sessions) Starting(toolbox domain.ToolboxName) (starting []domain.ServerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, state := range s.servers {
		if id.Toolbox == toolbox && state.newest != nil && state.newest.isUnderWay() {
			starting = append(starting, id)
		}
	}
	slices.SortFunc(starting, func(a, b domain.ServerID) int { return strings.Compare(string(a.Server), string(b.Server)) })
	return starting
}
