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

// A server that says again and again that its tools changed is believed at once for
// the first few times, then after a pause each.
const (
	relistsAtOnce = 3
	relistPause   = time.Second // without a change, too, it is as if there had been none
)

// relistSoon lists the tools anew if they are stale, away from the caller. It is for
// who follows what servers offer; others list when they need it.
func (c *Connection) relistSoon() {
	if c.changed == nil || !c.shown.Load() || !c.stale() {
		return
	}
	select {
	case c.wake <- struct{}{}:
	default: // it is known
	}
	if c.relisting.CompareAndSwap(false, true) {
		go c.relist()
	}
}

// relist lists the tools anew until nothing changed for a while.
func (c *Connection) relist() {
	for n := 0; c.awaitChange(); n++ {
		if n >= relistsAtOnce && !c.rest() {
			break
		}
		c.Refresh(context.Background())
	}
	c.relisting.Store(false)
	if len(c.wake) > 0 && !c.lost() {
		c.relistSoon() // the server said so between the last look and the end
	}
}

// awaitChange waits a while and reports whether the server said that its tools
// changed.
func (c *Connection) awaitChange() bool {
	quiet := time.NewTimer(relistPause)
	defer quiet.Stop()
	select {
	case <-c.wake:
		return !c.lost()
	case <-quiet.C:
	case <-c.Session.Done():
	case <-c.retired:
	}
	return false
}

// rest waits for a pause, and reports whether the server is still there.
func (c *Connection) rest() bool {
	pause := time.NewTimer(relistPause)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-c.Session.Done():
	case <-c.retired:
	}
	return false
}
