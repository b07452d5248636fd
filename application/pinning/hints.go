package pinning

import "mcp-workbench/domain"

// LockedHints returns what the definition of a tool says in its annotations, if the tool is
// as it was locked, with its description: otherwise nobody approved what it says, and there
// are no hints.
func (p *Pinning) LockedHints(server domain.Server, tool domain.ToolInfo, state LockState) domain.Hints {
	if p == nil || state.lock == nil || server.Pinned == domain.PinSchema {
		return domain.Hints{}
	}
	locked, _ := state.lock.Server(server.ID)
	live := p.definitions.Pin(tool, locked.Scope(server.Pinned))
	for _, one := range locked.Tools {
		if one.Name == tool.Name && one.Has(live) {
			return p.definitions.Hints(live)
		}
	}
	return domain.Hints{}
}
