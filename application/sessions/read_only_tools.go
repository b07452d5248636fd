package sessions

import "mcp-workbench/domain"

// OnlyReading returns the exact names of those of the given listed tools of a server that may be called as tools that
// only read, and whether all of them may.
func (s *Sessions) OnlyReading(id domain.ServerID, tools []domain.ToolInfo) (names map[string]bool, every bool) {
	list := s.known.list(id)
	if list == nil {
		return nil, false
	}
	return list.onlyReading(tools)
}

// CheckOnlyReads returns nil for a listed tool that needs no yes and only reads, according
// to the configuration or to a definition that is current and locked. A tool that needs a
// yes fails even after a yes was given. Failures: domain.ErrNotReadOnly.
func (c *Connection) CheckOnlyReads(tool domain.ToolIdentifier, listed domain.ToolInfo) error {
	if refused := c.tools.checkOnlyReads(listed); refused != nil {
		refused.Tool = tool
		return refused
	}
	return nil
}
