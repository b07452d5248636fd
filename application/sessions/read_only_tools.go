package sessions

import (
	"slices"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
)

// OnlyReading returns the exact names of those of the tools that may be called as ones that
// only read, and whether it is all of them. They are tools that were listed.
func (c *Connection) OnlyReading(tools []domain.ToolInfo) (names map[string]bool, all bool) {
	if !c.Server.Approvals.NameReadOnly() {
		return nil, false
	}
	for _, tool := range tools {
		if c.checkOnlyReads(tool) != nil {
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
	if refused := c.checkOnlyReads(listed); refused != nil {
		refused.Tool = tool
		return refused
	}
	return nil
}

func (c *Connection) checkOnlyReads(listed domain.ToolInfo) *domain.NotReadOnlyError {
	approvals := c.Server.Approvals
	if approvals.ConfirmDestructive || approvals.TrustAnnotations {
		c.tools.reapplyPins() // the lock may be another one since
	}
	c.tools.mu.Lock()
	defer c.tools.mu.Unlock()
	snapshot := c.tools.snapshot
	switch {
	case snapshot.needingYes[listed.Name]:
		return &domain.NotReadOnlyError{NeedsYes: true}
	case !snapshot.onlyReading[listed.Name] || !c.tools.isCurrentLocked(listed):
		return &domain.NotReadOnlyError{}
	}
	return nil
}

// findOnlyReading returns the tools of a list, filters and lock applied, that only read, by
// their exact names. Of a list that could not be refreshed the definitions are not known, so
// that nothing in them counts.
func (l *toolList) findOnlyReading(list domain.ToolList, lock pinning.LockState) map[string]bool {
	if !l.server.Approvals.NameReadOnly() {
		return nil
	}
	trusts := l.server.Approvals.TrustAnnotations && !slices.ContainsFunc(list.Warnings, isNotRefreshed)
	reading := map[string]bool{}
	for _, tool := range list.Tools {
		reading[tool.Name] = l.server.OnlyReads(tool) || trusts && l.pins.LockedHints(l.server, tool, lock).ReadOnly
	}
	return reading
}
