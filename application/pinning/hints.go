package pinning

import "mcp-workbench/domain"

// LockedHints returns the annotations of a tool, or no hints if the tool differs from the lock or its
// description is not locked: then its annotations were not approved.
func (p *Pinning) LockedHints(server domain.Server, tool domain.ToolInfo, state LockState) domain.Hints {
	if p == nil || state.lock == nil || server.Pinned == domain.PinSchema {
		return domain.Hints{}
	}
	locked, _ := state.lock.Server(server.ID)
	live := p.definitions.Pin(tool, locked.Scope(server.Pinned))
	for _, pinned := range locked.Tools {
		if pinned.Name == tool.Name && pinned.Has(live) {
			return p.definitions.Hints(live)
		}
	}
	return domain.Hints{}
}
