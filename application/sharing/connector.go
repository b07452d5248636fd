package sharing

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Connector connects to servers, and gives all hosts one session with a shared server. Safe
// for concurrent use.
type Connector struct {
	next ports.Connector
	log  *slog.Logger
	*table
}

// table holds the sessions with shared servers.
type table struct {
	mu       sync.Mutex // guards sessions
	sessions map[domain.ServerID][]*session
}

var _ ports.Connector = (*Connector)(nil)

// NewConnector returns a connector over next, which connects to servers for one host.
func NewConnector(next ports.Connector, log *slog.Logger) *Connector {
	return &Connector{next: next, log: log, table: &table{sessions: map[domain.ServerID][]*session{}}}
}

// ShareWith makes both connectors share their sessions with servers that have the same settings. It must be
// called before the connector is used.
func (c *Connector) ShareWith(other *Connector) { c.table = other.table }

// Connect implements ports.Connector. For a shared server, the returned session belongs to the
// host alone: closing it closes no other host's. Hosts that connect at the same time wait for
// the same attempt, which ends early when all of them have given up. The policy of the host that
// begins the attempt counts for all.
func (c *Connector) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	if !server.Shared {
		return c.next.Connect(ctx, server, host, policy)
	}
	for {
		shared := c.find(ctx, server, policy)
		member, joined := shared.join(host)
		if !joined {
			continue // it has just ended, so the next find returns another one
		}
		return shared.await(ctx, member)
	}
}

// find returns the session with a server that members can join. Without such a session it begins a new one,
// which starts once nothing is left of those that ended. A session with other settings
// that is still used continues beside it.
func (c *Connector) find(ctx context.Context, server domain.Server, policy ports.ServerPolicy) *session {
	c.mu.Lock()
	defer c.mu.Unlock()
	sessions := c.sessions[server.ID]
	var ending []*session
	for _, s := range sessions {
		switch {
		case s.isOver():
			ending = append(ending, s)
		case s.server.Equal(server):
			return s
		}
	}
	s := newSession(server, policy, c.log, c.remove)
	c.sessions[server.ID] = append(slices.Clone(sessions), s)
	s.begin(ctx, c.next, ending)
	return s
}

func (c *table) remove(gone *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := gone.server.ID
	c.sessions[id] = slices.DeleteFunc(slices.Clone(c.sessions[id]), func(s *session) bool { return s == gone })
	if len(c.sessions[id]) == 0 {
		delete(c.sessions, id)
	}
}
