package sessions

import (
	"slices"
	"sync"

	"mcp-workbench/domain"
)

// Subscriptions are the resources that the host subscribed to, each at one server.
// They outlive the sessions of that server. Safe for concurrent use.
type Subscriptions struct {
	mu      sync.Mutex                 // guards servers
	servers map[string]domain.ServerID // by URI
}

// NewSubscriptions returns an empty table.
func NewSubscriptions() *Subscriptions {
	return &Subscriptions{servers: map[string]domain.ServerID{}}
}

// Add notes that the host subscribed to a resource at a server.
func (s *Subscriptions) Add(uri string, id domain.ServerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.servers[uri] = id
}

// Remove notes that the host does not want a resource any more.
func (s *Subscriptions) Remove(uri string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.servers, uri)
}

// Server returns the server at which the host subscribed to a resource, if it did.
func (s *Subscriptions) Server(uri string) (id domain.ServerID, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok = s.servers[uri]
	return id, ok
}

// of returns the resources of a server, sorted.
func (s *Subscriptions) of(id domain.ServerID) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var uris []string
	for uri, server := range s.servers {
		if server == id {
			uris = append(uris, uri)
		}
	}
	slices.Sort(uris)
	return uris
}

func (s *Subscriptions) removeServer(id domain.ServerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri, server := range s.servers {
		if server == id {
			delete(s.servers, uri)
		}
	}
}

// HoldSubscription keeps the server up while the host is subscribed to one of its
// resources.
func (c *Connection) HoldSubscription(uri string) { c.idle.hold("resource " + uri) }

// ReleaseSubscription ends HoldSubscription.
func (c *Connection) ReleaseSubscription(uri string) { c.idle.release("resource " + uri) }
