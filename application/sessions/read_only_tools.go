package sessions

import (
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
)

// OnlyReading returns the exact names of those of the tools that may be called as ones that
// only read, and whether it is all of them. They are tools that were listed.
func (c *Connection) OnlyReading(tools []domain.ToolInfo) (names map[string]bool, all bool) {
	return c.tools.onlyReading(tools)
}

// OnlyReading is Connection.OnlyReading for a server that is being started, by its known
// tools.
func (s *Sessions) OnlyReading(id domain.ServerID, tools []domain.ToolInfo) (names map[string]bool, all bool) {
	list := s.known.list(id)
	if list == nil {
		return nil, false
	}
	return list.onlyReading(tools)
}

func (l *toolList) onlyReading(tools []domain.ToolInfo) (names map[string]bool, all bool) {
	if !l.server.Approvals.NameReadOnly() {
		return nil, false
	}
	l.reapplyPins()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, tool := range tools {
		if l.checkOnlyReadsLocked(tool) != nil {
			continue
		}
		if names == nil {
			names = map[string]bool{}
		}
		names[tool.Name] = true
	}
	return names, len(names) > 0 && len(names) == len(tools)
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

func (l *toolList) checkOnlyReads(listed domain.ToolInfo) *domain.NotReadOnlyError {
	l.reapplyPins() // the lock may be another one since
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.checkOnlyReadsLocked(listed)
}

func (l *toolList) checkOnlyReadsLocked(listed domain.ToolInfo) *domain.NotReadOnlyError {
	switch {
	case l.snapshot.needingYes[listed.Name]:
		return &domain.NotReadOnlyError{NeedsYes: true}
	case !l.snapshot.onlyReading[listed.Name] || !l.isCurrentLocked(listed):
		return &domain.NotReadOnlyError{}
	}
	return nil
}

// findOnlyReading returns the tools of a list, filters and lock applied, that only read, by
// their exact names. While a lock is in force no tool is among them that is not as it was
// locked, whatever its name. Of a list that could not be refreshed the definitions are not
// known, so that nothing in them counts.
func (l *toolList) findOnlyReading(list domain.ToolList, lock pinning.LockState) map[string]bool {
	if !l.server.Approvals.NameReadOnly() {
		return nil
	}
	reading := map[string]bool{}
	for _, tool := range list.Tools {
		reading[tool.Name] = !doubts(lock, list, tool) &&
			(l.server.OnlyReads(tool) || l.server.Approvals.TrustAnnotations && l.pins.LockedHints(l.server, tool, lock).ReadOnly)
	}
	return reading
}
