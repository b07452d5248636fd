package application

import (
	"context"
	"time"

	"mcp-workbench/domain"
)

// offered returns the tools of a server that is up, or would be started again if
// somebody needed it.
func (s *Sessions) offered(id domain.ServerID) []domain.ToolInfo {
	s.mu.Lock()
	connection := s.known[id]
	if connection == nil || connection.unreachable {
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	return connection.offer.Load().list.Tools
}

// tellChange tells who follows what servers offer that it changed for one.
func (s *Sessions) tellChange(id domain.ServerID) {
	if s.changed != nil {
		s.changed(id)
	}
}

// relistPause is how long a server has to wait that says again and again, while its
// tools are listed, that they changed.
const relistPause = time.Second

// relistSoon lists the tools anew as long as they are stale, away from the caller.
// It is for who follows what servers offer; others list when they need it.
func (c *Connection) relistSoon() {
	if c.changed == nil || !c.stale() || !c.shown.Load() || !c.relisting.CompareAndSwap(false, true) {
		return
	}
	go func() {
		for c.stale() && !c.lost() {
			c.Refresh(context.Background())
			c.rest()
		}
		c.relisting.Store(false)
		if c.stale() && !c.lost() {
			c.relistSoon() // the server said so between the last look and the end
		}
	}()
}

// rest waits a while if the tools are stale already.
func (c *Connection) rest() {
	if !c.stale() {
		return
	}
	pause := time.NewTimer(relistPause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-c.Session.Done():
	case <-c.retired:
	}
}
