package sharing

import (
	"slices"

	"mcp-workbench/domain"
)

// End ends every session with a server for all its hosts, because the user restarts the server. It does
// not wait.
func (c *Connector) End(server domain.ServerID) {
	c.mu.Lock()
	sessions := slices.Clone(c.sessions[server])
	c.mu.Unlock()
	for _, s := range sessions {
		s.end(&domain.ServerUnavailableError{ID: server, Reason: domain.ErrRestarted})
		s.cancel() // an attempt to connect
		go func() {
			<-s.connected
			if s.err == nil {
				s.closeLeft(s.next)
			}
		}()
	}
}
