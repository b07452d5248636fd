package sessions

import "mcp-workbench/domain"

// OnlyReading returns the exact names of those of the tools that may be called as ones that
// only read, and whether it is all of them. They are tools that were listed.
func (c *Connection) OnlyReading(tools []domain.ToolInfo) (names map[string]bool, every bool) {
	return c.tools.onlyReading(tools)
}

// OnlyReading is Connection.OnlyReading for a server that is being started, by its known
// tools.
func (s *Sessions) OnlyReading(id domain.ServerID, tools []domain.ToolInfo) (names map[string]bool, every bool) {
	list := s.known.list(id)
	if list == nil {
		return nil, false
	}
	return list.onlyReading(tools)
}

// CheckOnlyReads returns nil for a listed tool that only reads, by the configuration or by
// the definition that it has now and that was locked, and that needs no yes. A yes that was
// given changes nothing in that. Failures: domain.ErrNotReadOnly.
func (c *Connection) CheckOnlyReads(tool domain.ToolIdentifier, listed domain.ToolInfo) error {
	if refused := c.tools.checkOnlyReads(listed); refused != nil {
		refused.Tool = tool
		return refused
	}
	return nil
}
