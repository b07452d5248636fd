package application

import (
	"sync"

	"mcp-workbench/domain"
)

// ResourceOwners remembers which server's result pointed at a resource last.
type ResourceOwners struct{ serverIndex }

// NewResourceOwners returns an empty memory.
func NewResourceOwners() *ResourceOwners { return &ResourceOwners{} }

// TaskOwners remembers which server made a task.
type TaskOwners struct{ serverIndex }

// NewTaskOwners returns an empty memory.
func NewTaskOwners() *TaskOwners { return &TaskOwners{} }

// serverIndex remembers which server a name belongs to, and forgets old names.
// Safe for concurrent use.
type serverIndex struct {
	mu       sync.Mutex // guards the fields below
	new, old map[string]domain.ServerID
}

// maxRemembered is how many names are remembered before old ones are forgotten.
const maxRemembered = 10_000

func (i *serverIndex) add(server domain.ServerID, names []string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, name := range names {
		if i.new == nil || len(i.new) >= maxRemembered/2 {
			i.new, i.old = map[string]domain.ServerID{}, i.new
		}
		i.new[name] = server
	}
}

func (i *serverIndex) server(name string) (domain.ServerID, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if server, ok := i.new[name]; ok {
		return server, true
	}
	server, ok := i.old[name]
	return server, ok
}
