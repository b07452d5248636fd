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

// NewClosed returns a Closed over the lock and what was kept for searches.
func NewClosed(pins *pinning.Pinning, listings ports.Listings) *Closed {
	return &Closed{pins: pins, lists: newLists(pins, listings)}
}

// Tools returns the tools that the lock has of a server, or that it listed last, with its filter applied, nil if they are
// not known. It may read files.
func (c *Closed) Tools(server domain.Server) []domain.ToolInfo {
	lock := c.pins.State() // reads a changed file, so before the mutex
	c.mu.Lock()
	defer c.mu.Unlock()
	tools, _ := c.lists.find(server, lock)
	return tools
}
