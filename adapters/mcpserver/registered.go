package mcpserver

import (
	"mcp-workbench/ports"
)

// Registered makes a server show tools of servers as tools of its own
// (tests/acceptance/CONTRACT.md sections 8 and 25): those of open toolboxes in dynamic mode, and those with a page
// to hosts that render pages.
type Registered struct {
	closer   ports.ToolboxCloser // nil unless the mode is dynamic
	registry ports.ToolRegistry
}

// NewRegistered returns a Registered over the use cases. Without a closer the mode is not dynamic.
func NewRegistered(closer ports.ToolboxCloser, registry ports.ToolRegistry) *Registered {
	return &Registered{closer: closer, registry: registry}
}

// isDynamic reports whether the tools of open toolboxes are registered.
func (s *session) isDynamic() bool { return s.registered != nil && s.registered.closer != nil }
