package application

import (
	"maps"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Opened records which toolboxes a host has opened: a toolbox with at least one server
// that could be reached stays open until it is closed or the program ends. Safe for
// concurrent use.
type Opened struct {
	mu    sync.RWMutex // guards names
	names map[domain.ToolboxName]struct{}
}

// NewOpened returns an Opened without toolboxes.
func NewOpened() *Opened { return &Opened{names: map[domain.ToolboxName]struct{}{}} }

// AllOpened returns an Opened with all toolboxes of the catalog, for callers that need not
// open them.
func AllOpened(catalog ports.Catalog) *Opened {
	opened := NewOpened()
	for _, toolbox := range catalog.Toolboxes() {
		opened.Add(toolbox.Name)
	}
	return opened
}

// Add notes that the toolbox is open.
func (o *Opened) Add(toolbox domain.ToolboxName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names[toolbox] = struct{}{}
}

// Names returns the names of the open toolboxes, in any order.
func (o *Opened) Names() []domain.ToolboxName {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return slices.Collect(maps.Keys(o.names))
}

// remove notes that the toolbox is no longer open, and reports whether it was.
func (o *Opened) remove(toolbox domain.ToolboxName) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, open := o.names[toolbox]
	delete(o.names, toolbox)
	return open
}

// Contains reports whether the toolbox is open.
func (o *Opened) Contains(toolbox domain.ToolboxName) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, open := o.names[toolbox]
	return open
}
