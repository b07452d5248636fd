package pinning

import (
	"slices"

	"mcp-workbench/domain"
)

// Held returns a list, filters applied, with no more of it than the lock holds, whatever the
// policy: of the tools the members that are locked, and the instructions as they are locked.
// The given list is not changed.
func (p *Pinning) Held(server domain.Server, list domain.ToolList, state LockState) domain.ToolList {
	if state.lock == nil {
		return list
	}
	locked, _ := state.lock.Server(server.ID)
	scope := locked.Scope(server.Pinned)
	list.Tools, _ = p.reduce(list.Tools, scope)
	list.Instructions = ""
	if scope.PinsAll() && len(locked.Instructions) > 0 {
		list.Instructions = locked.Instructions[0]
	}
	return list
}

// withoutWords takes out of warnings what quotes definitions, which the log has.
func withoutWords(warnings []domain.Warning) {
	for i := range warnings {
		if warnings[i].Kind == domain.ToolLeftOut {
			warnings[i].Detail = "the log says why"
		}
	}
}

// compareTexts holds the instructions of a list, whose tools are as they were locked, against
// the lock. A policy that blocks leaves out those that differ, and whatever the lock does not hold.
func (p *Pinning) compareTexts(list domain.ToolList, locked domain.LockedServer, scope domain.PinScope, blocks bool) domain.ToolList {
	differ := scope.PinsAll() && !locked.HasInstructions(list.Instructions)
	switch {
	case differ && blocks:
		list.Instructions = ""
		list.Warnings = append(list.Warnings, domain.Warning{Kind: domain.InstructionsBlocked})
	case differ:
		list.Warnings = append(list.Warnings, domain.Warning{Kind: domain.InstructionsChanged})
	case blocks && !scope.PinsAll():
		tools, leavesOut := p.reduce(list.Tools, scope)
		leavesOut = leavesOut || list.Instructions != ""
		list.Tools, list.Instructions = tools, ""
		if leavesOut {
			list.Warnings = append(list.Warnings, domain.Warning{Kind: leftOut(locked)})
		}
	}
	return list
}

// leftOut is the kind of the warning that something is left out which the lock does not hold.
func leftOut(locked domain.LockedServer) domain.WarningKind {
	if locked.Instructions == nil {
		return domain.LeftOutByOlderLock
	}
	return domain.LeftOutUnpinned
}

// reduce returns tools with only the members of the scope, and whether they had others.
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
