package discovery

import (
	"sync"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Closed finds tools of servers that are not up. Safe for concurrent use.
type Closed struct {
	pins *pinning.Pinning

	mu    sync.Mutex // guards lists
	lists lists
}

// NewClosed returns a Closed over the lock and the lists that were kept for searches.
func NewClosed(pins *pinning.Pinning, listings ports.Listings) *Closed {
	return &Closed{pins: pins, lists: newLists(pins, listings)}
}

// Tools returns the tools that the lock holds for a server, otherwise those that the server listed last, with its filter
// applied. It returns nil if they are not known. It may read files.
func (c *Closed) Tools(server domain.Server) []domain.ToolInfo {
	lock := c.pins.State() // may read a file, so this comes before the mutex
	c.mu.Lock()
	defer c.mu.Unlock()
	tools, _ := c.lists.find(server, lock)
	return tools
}
