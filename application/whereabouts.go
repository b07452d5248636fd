package application

import (
	"sync"

	"mcp-workbench/domain"
)

// Pointers remembers which server's result pointed at a resource last.
type Pointers struct{ whereabouts }

// NewPointers returns an empty memory.
func NewPointers() *Pointers { return &Pointers{} }

// Tasks remembers which server made a task.
type Tasks struct{ whereabouts }

// NewTasks returns an empty memory.
func NewTasks() *Tasks { return &Tasks{} }

// whereabouts remembers which server something is at, and forgets what is old.
// Safe for concurrent use.
type whereabouts struct {
	mu       sync.Mutex
	new, old map[string]domain.ServerID
}

// maxRemembered is how many names are remembered before old ones are forgotten.
const maxRemembered = 10_000

func (w *whereabouts) add(server domain.ServerID, names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if w.new == nil || len(w.new) >= maxRemembered/2 {
			w.new, w.old = map[string]domain.ServerID{}, w.new
		}
		w.new[name] = server
	}
}

func (w *whereabouts) server(name string) (domain.ServerID, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if server, ok := w.new[name]; ok {
		return server, true
	}
	server, ok := w.old[name]
	return server, ok
}
