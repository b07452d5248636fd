package sessions

import "mcp-workbench/domain"

// AllowToolbox lets the servers of a toolbox be connected to again after CloseToolbox, and be
// seen after StartEarly, of which the host is told.
func (s *Sessions) AllowToolbox(toolbox domain.ToolboxName) {
	s.mu.Lock()
	wasEarly := s.early[toolbox]
	delete(s.closed, toolbox)
	delete(s.early, toolbox)
	s.allowed[toolbox] = true
	s.mu.Unlock()
	if wasEarly {
		s.announceEarly(toolbox)
	}
}

// CloseToolbox ends every attempt and every session of a toolbox, and returns when
// nothing is left of them. From its start on none is made until AllowToolbox, which
// must not be called before CloseToolbox has returned. The limits of the servers
// bound how long they may take to end.
func (s *Sessions) CloseToolbox(toolbox domain.Toolbox) {
	attempts, hadPrompts := s.endToolbox(toolbox)
	for _, attempt := range attempts {
		attempt.cancel()
	}
	for _, id := range hadPrompts {
		s.reportPrompts(id)
	}
	for _, attempt := range attempts {
		<-attempt.closed
	}
}

// endToolbox forgets the connections of a toolbox. It returns the attempts of which
// something is left, and the servers that had prompts.
func (s *Sessions) endToolbox(toolbox domain.Toolbox) (attempts []*attempt, hadPrompts []domain.ServerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed[toolbox.Name] = true
	for _, server := range toolbox.Servers {
		s.known.remove(server.ID)
		s.ownership.removeServer(server.ID)
		state := s.servers[server.ID]
		if state == nil {
			continue
		}
		attempts = append(attempts, state.unclosed...)
		for _, left := range state.unclosed {
			left.endDraining()
		}
		if state.connection != nil {
			state.connection.life.end(endClosed, "")
			state.connection = nil
		}
		if state.hasPrompts {
			hadPrompts = append(hadPrompts, server.ID)
			state.hasPrompts = false
		}
		// Nobody who opens the toolbox again expects that anything was kept.
		state.recovery.lost, state.restarted, state.kept = "", "", nil
	}
	return attempts, hadPrompts
}

func (s *Sessions) isClosed(toolbox domain.ToolboxName) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed[toolbox]
}
