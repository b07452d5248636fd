package pinning

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Apply returns a filtered list in the form that the policy requires: with warnings about tools
// that differ from the lock, or without those tools. It does not change the given list.
func (p *Pinning) Apply(server domain.Server, list domain.ToolList, state LockState) domain.ToolList {
	switch {
	case state.broken != nil && state.blocks():
		return blockAll(list, state.broken.Reason)
	case state.lock != nil && !slices.Contains(state.lock.Without, server.ID.Toolbox):
		return p.compare(server, list, *state.lock, state.blocks())
	case state.blocks():
		return p.compare(server, list, domain.Lock{}, true)
	}
	return list
}

// blockAll leaves out every tool, since none can be checked.
func blockAll(list domain.ToolList, reason string) domain.ToolList {
	for _, tool := range list.Tools {
		list.Blocked = append(list.Blocked, domain.BlockedTool{
			Name: tool.Name, Shown: tool.Shown, Why: domain.UncheckedToolBlocked, Detail: reason,
		})
	}
	list.Tools, list.Instructions = nil, ""
	return list
}

// compare compares the list with a lock.
func (p *Pinning) compare(server domain.Server, list domain.ToolList, lock domain.Lock, blocks bool) domain.ToolList {
	locked, known := lock.Server(server.ID)
	if !known {
		locked = domain.LockedServer{ID: server.ID, Instructions: []string{""}}
	}
	differences := locked.Violations(ToolsOf(p.definitions, server.Pinned, list.Tools))
	list.Warnings = slices.Clone(list.Warnings)
	if blocks {
		removeQuotes(list.Warnings)
	}
	list.Unlocked = map[string]bool{}
	if !known && len(differences) > 0 {
		list.Warnings = append(list.Warnings, domain.Warning{Kind: domain.ServerNotLocked})
	}
	for _, difference := range differences {
		name := difference.Tool.Tool
		if difference.Live == nil && !server.Tools.Allows(name) {
			continue // the configuration leaves it out now
		}
		warning := p.warn(difference, blocks)
		list.Warnings = append(list.Warnings, warning)
		if difference.Live != nil {
			list.Unlocked[name] = true
		}
		if difference.Live != nil && blocks {
			list.Blocked = append(list.Blocked, domain.BlockedTool{
				Name: name, Shown: warning.Tool, Why: warning.Kind, Detail: warning.Detail,
			})
		}
	}
	if blocks && len(list.Unlocked) > 0 {
		list.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t domain.ToolInfo) bool { return list.Unlocked[t.Name] })
	}
	return p.compareInstructions(list, locked, server.Pinned, blocks)
}

// removeQuotes removes quotes of definitions from warnings. The log has them.
func removeQuotes(warnings []domain.Warning) {
	for i := range warnings {
		if warnings[i].Kind == domain.ToolLeftOut {
			warnings[i].Detail = "the log says why"
		}
	}
}

// compareInstructions compares the instructions of a list with the lock, after its tools. A policy that blocks leaves out
// instructions that differ, and the members of tools that are outside of the scope, since the lock does not hold them.
func (p *Pinning) compareInstructions(list domain.ToolList, locked domain.LockedServer, scope domain.PinScope, blocks bool) domain.ToolList {
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

// warn returns the warning about a tool that differs from the lock.
func (p *Pinning) warn(difference domain.Difference, blocks bool) domain.Warning {
	warning := domain.Warning{Tool: domain.ShownText(difference.Tool.Tool)}
	switch {
	case difference.Live == nil:
		warning.Kind = domain.LockedToolGone
	case difference.Locked == nil && blocks:
		warning.Kind = domain.UnknownToolBlocked
	case difference.Locked == nil:
		warning.Kind = domain.NotLocked
	default:
		warning.Kind = domain.ChangedSinceLocked
		if blocks {
			warning.Kind = domain.ChangedToolBlocked
		}
		live := difference.Live.Pins[0]
		warning.Detail = ChangedMembers(p.definitions, difference.Locked.Nearest(live, p.definitions.Changes), live)
	}
	return warning
}

// ChangedMembers names the members in which two definitions differ.
func ChangedMembers(definitions ports.Definitions, before, after domain.Pin) string {
	return strings.Join(domain.ChangedMembers(definitions.Changes(before, after)), ", ")
}

// ChangesOf names the members in which a tool of a server differs from the tool as it was shown under a lock, "" if it
// means the same. If there is a lock, only members that it pins are compared.
func (p *Pinning) ChangesOf(server domain.Server, shown, now domain.ToolInfo, lock LockState) string {
	scope := domain.PinDefinition
	if lock.lock != nil && lock.Governs(server.ID.Toolbox) {
		scope = server.Pinned
	}
	before, after := p.definitions.Pin(shown.Unadjusted(), scope), p.definitions.Pin(now.Unadjusted(), scope)
	if before.Digest == after.Digest {
		return ""
	}
	return ChangedMembers(p.definitions, before, after)
}

// ToolsOf returns the tools as a lock would have them, sorted by name.
func ToolsOf(definitions ports.Definitions, scope domain.PinScope, tools []domain.ToolInfo) []domain.LockedTool {
	locked := make([]domain.LockedTool, len(tools))
	for i, tool := range tools {
		locked[i] = domain.LockedTool{Name: tool.Name, Pins: []domain.Pin{definitions.Pin(tool.Unadjusted(), scope)}}
	}
	domain.SortTools(locked)
	return locked
}
