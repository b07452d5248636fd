package application

import (
	"sync"

	"mcp-workbench/domain"
)

// Opened remembers which toolboxes are open: a toolbox whose servers could be
// reached, all or some, stays open until the program ends. Safe for concurrent
// use.
type Opened struct {
	mu    sync.RWMutex
	names map[domain.ToolboxName]struct{}
}

// NewOpened returns an empty memory.
func NewOpened() *Opened {
	return &Opened{names: map[domain.ToolboxName]struct{}{}}
}

// Add notes that the toolbox is open.
func (o *Opened) Add(toolbox domain.ToolboxName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names[toolbox] = struct{}{}
}

// Contains reports whether the toolbox is open.
func (o *Opened) Contains(toolbox domain.ToolboxName) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, open := o.names[toolbox]
	return open
}
