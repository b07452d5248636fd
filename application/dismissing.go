package application

import (
	"errors"

	"mcp-workbench/domain"
)

// admit lets the servers of a toolbox be connected to, after it was dismissed.
func (s *Sessions) admit(toolbox domain.ToolboxName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.dismissed, toolbox)
}

// dismiss ends every attempt and every session of a toolbox, and returns when
// nothing is left of them. From its start on none is made until the toolbox is
// admitted again. The limits of the servers bound how long they may take to end.
func (s *Sessions) dismiss(toolbox domain.Toolbox) {
	attempts := s.dismissAttempts(toolbox)
	for _, attempt := range attempts {
		attempt.cancel()
	}
	for _, attempt := range attempts {
		<-attempt.closed
	}
}

// dismissAttempts marks what there is of a toolbox as not wanted any longer, and
// returns it.
func (s *Sessions) dismissAttempts(toolbox domain.Toolbox) []*attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dismissed == nil {
		s.dismissed = map[domain.ToolboxName]bool{}
	}
	s.dismissed[toolbox.Name] = true
	var attempts []*attempt
	for _, server := range toolbox.Servers {
		for current := s.attempts[server.ID]; current != nil; current = current.previous {
			current.dismissed = true
			attempts = append(attempts, current)
		}
		if connection := s.known[server.ID]; connection != nil {
			connection.dismiss()
			delete(s.known, server.ID)
		}
		if recovery := s.recoveries[server.ID]; recovery != nil {
			recovery.lost = "" // who opens the toolbox again expects that nothing is kept
		}
	}
	return attempts
}

func (s *Sessions) wasDismissed(begun *attempt) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return begun.dismissed
}

// dismiss ends the session, since its toolbox is closed.
func (c *Connection) dismiss() {
	c.dismissed.Store(true)
	c.retire.Do(func() { close(c.retired) })
}

// closedWith words what ended a call: if the toolbox was closed meanwhile, that is
// why its server is gone.
func (c *Connection) closedWith(err error) error {
	if c.dismissed.Load() && errors.Is(err, domain.ErrServerUnavailable) {
		return &domain.ServerUnavailableError{ID: c.server.ID, Reason: "the toolbox was closed"}
	}
	return err
}
