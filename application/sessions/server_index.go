package sessions

import (
	"sync"

	"mcp-workbench/domain"
)

// ServerIndex remembers which server a name belongs to, and forgets old names. The zero value
// is empty. Safe for concurrent use.
type ServerIndex struct {
	mu      sync.Mutex // guards servers
	servers domain.Recent[string, domain.ServerID]
}

const (
	// maxRemembered is the number of names that are remembered before old ones are forgotten.
	maxRemembered = 10_000
	// maxName is the length of the longest name that is remembered, in bytes. Servers choose
	// the names.
	maxName = 2048
)

// Add notes that names belong to a server from now on, even if they belonged to another one.
func (i *ServerIndex) Add(server domain.ServerID, names []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, name := range names {
		i.addLocked(server, name)
	}
}

// AddOnce notes that a name belongs to a server. A name that already belongs to another
// server belongs to neither from then on.
func (i *ServerIndex) AddOnce(server domain.ServerID, name string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if owner, known := i.servers.Get(name); known && owner != server {
		server = domain.ServerID{}
	}
	i.addLocked(server, name)
}

// Server returns the server that a name belongs to, if there is one.
func (i *ServerIndex) Server(name string) (domain.ServerID, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	server, _ := i.servers.Get(name)
	return server, server != domain.ServerID{}
}

func (i *ServerIndex) addLocked(server domain.ServerID, name string) {
	if len(name) <= maxName {
		i.servers.Put(name, server, maxRemembered)
	}
}
