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

// removeQuotes removes quotes of definitions from warnings. The log has them.
func removeQuotes(warnings []domain.Warning) {
	for i := range warnings {
		if warnings[i].Kind == domain.ToolLeftOut {
			warnings[i].Detail = "the log says why"
		}
	}
}

// compareTexts compares the instructions of a list with the lock. A policy that blocks leaves out
// instructions that differ, and everything that is not in the lock. The list's tools were compared
// before.
func (p *Pinning) compareTexts(list domain.ToolList, locked domain.LockedServer, scope domain.PinScope, blocks bool) domain.ToolList {
	differ := scope.PinsInstructions() && !locked.HasInstructions(list.Instructions)
	if blocks && scope == domain.PinNoDefaults {
		list.Tools, _ = p.reduce(list.Tools, scope)
	}
	switch {
	case differ && blocks:
		list.Instructions = ""
		list.Warnings = append(list.Warnings, domain.Warning{Kind: domain.InstructionsBlocked})
	case differ:
		list.Warnings = append(list.Warnings, domain.Warning{Kind: domain.InstructionsChanged})
	case blocks && !scope.PinsInstructions():
		tools, leavesOut := p.reduce(list.Tools, scope)
		leavesOut = leavesOut || list.Instructions != ""
		list.Tools, list.Instructions = tools, ""
		if leavesOut {
			list.Warnings = append(list.Warnings, domain.Warning{Kind: domain.LeftOutUnpinned})
		}
	}
	return list
}

// reduce returns tools with only the members in the scope, and whether they had others.
func (p *Pinning) reduce(tools []domain.ToolInfo, scope domain.PinScope) (reduced []domain.ToolInfo, leavesOut bool) {
	if scope.PinsAll() {
		return tools, false
	}
	reduced = slices.Clone(tools)
	for i, tool := range tools {
		reduced[i].Definition = p.definitions.Reduce(tool.Definition, scope)
		leavesOut = leavesOut || len(reduced[i].Definition) != len(tool.Definition)
	}
	return reduced, leavesOut
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
