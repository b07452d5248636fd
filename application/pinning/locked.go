package pinning

import (
	"slices"

	"mcp-workbench/domain"
)

// Held returns the parts of a filtered list that the lock holds, under every policy: the locked
// members of tools and the locked instructions. It does not change the given list.
func (p *Pinning) Held(server domain.Server, list domain.ToolList, state LockState) domain.ToolList {
	if state.lock == nil || slices.Contains(state.lock.Without, server.ID.Toolbox) {
		return list
	}
	locked, _ := state.lock.Server(server.ID)
	list.Tools, _ = p.reduce(list.Tools, server.Pinned)
	list.Instructions = ""
	if server.Pinned.PinsInstructions() && len(locked.Instructions) > 0 {
		list.Instructions = locked.Instructions[0]
	}
	return list
}

// LockedHints returns the annotations of a tool, or no hints if the tool differs from the lock or its
// description is not locked: then its annotations were not approved.
func (p *Pinning) LockedHints(server domain.Server, tool domain.ToolInfo, state LockState) domain.Hints {
	if p == nil || state.lock == nil || server.Pinned == domain.PinSchema {
		return domain.Hints{}
	}
	locked, _ := state.lock.Server(server.ID)
	live := p.definitions.Pin(tool, server.Pinned)
	for _, pinned := range locked.Tools {
		if pinned.Name == tool.Name && pinned.Has(live) {
			return p.definitions.Hints(live)
		}
	}
	return domain.Hints{}
}

// Locked returns the tools of a server that the lock holds and the filter allows, and whether the lock knows the
// server. If a tool has two definitions, which depend on the host, it returns the first.
func (s LockState) Locked(server domain.Server) (tools []domain.ToolInfo, known bool) {
	if s.lock == nil {
		return nil, false
	}
	locked, known := s.lock.Server(server.ID)
	for _, tool := range locked.Tools {
		if len(tool.Pins) > 0 && server.Tools.Allows(tool.Name) {
			tools = append(tools, domain.ToolInfo{Name: tool.Name, Shown: domain.ShownText(tool.Name), Definition: tool.Pins[0].Definition})
		}
	}
	return tools, known
}
