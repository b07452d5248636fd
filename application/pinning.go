package application

import (
	"errors"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Pinning decides by the lock which of a server's tools exist for the host. A nil
// Pinning looks at no lock. Safe for concurrent use.
type Pinning struct {
	policy      domain.PinPolicy
	pins        ports.Pins
	definitions ports.Definitions
}

// NewPinning returns the decision by a policy.
func NewPinning(policy domain.PinPolicy, pins ports.Pins, definitions ports.Definitions) *Pinning {
	return &Pinning{policy: policy, pins: pins, definitions: definitions}
}

// basis is what a decision was made by. Two that are equal lead to the same one.
type basis struct {
	lock   *domain.Lock
	broken *domain.LockBrokenError
}

// basis returns what to decide by now.
func (p *Pinning) basis() basis {
	if p == nil || p.policy == domain.PinOff {
		return basis{}
	}
	lock, err := p.pins.Lock()
	if err == nil {
		return basis{lock: lock}
	}
	broken, ok := errors.AsType[*domain.LockBrokenError](err)
	if !ok {
		broken = &domain.LockBrokenError{Reason: err.Error()}
	}
	return basis{broken: broken}
}

func (p *Pinning) blocks() bool { return p != nil && p.policy == domain.PinBlock }

// judge returns a list, filters applied, as the policy wants it shown: with warnings
// about the tools that are not as they were locked, or without those tools.
func (p *Pinning) judge(server domain.Server, list domain.ToolList, by basis) domain.ToolList {
	switch {
	case by.broken != nil && p.blocks():
		return blockAll(list, by.broken.Reason)
	case by.lock != nil:
		return p.compare(server, list, *by.lock)
	case p.blocks():
		return p.compare(server, list, domain.Lock{})
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
	list.Tools = nil
	return list
}

// compare holds the list against a lock.
func (p *Pinning) compare(server domain.Server, list domain.ToolList, lock domain.Lock) domain.ToolList {
	locked, _ := lock.Server(server.ID)
	locked.ID = server.ID
	differences := locked.Compare(pinsOf(p.definitions, list.Tools))
	list.Warnings = slices.Clone(list.Warnings)
	unsafe := map[string]bool{}
	for _, difference := range differences {
		name := difference.Tool.Tool
		if difference.Live == nil && !server.Tools.Allows(name) {
			continue // the configuration has left it out since
		}
		warning := p.warn(difference)
		list.Warnings = append(list.Warnings, warning)
		if difference.Live != nil && p.blocks() {
			unsafe[name] = true
			list.Blocked = append(list.Blocked, domain.BlockedTool{
				Name: name, Shown: warning.Tool, Why: warning.Kind, Detail: warning.Detail,
			})
		}
	}
	if len(unsafe) > 0 {
		list.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t domain.ToolInfo) bool { return unsafe[t.Name] })
	}
	return list
}

// warn returns the warning about a tool that is not as it was locked.
func (p *Pinning) warn(difference domain.Difference) domain.Warning {
	warning := domain.Warning{Tool: domain.ShownText(difference.Tool.Tool)}
	switch {
	case difference.Live == nil:
		warning.Kind = domain.LockedToolGone
	case difference.Locked == nil && p.blocks():
		warning.Kind = domain.UnknownToolBlocked
	case difference.Locked == nil:
		warning.Kind = domain.NotLocked
	default:
		warning.Kind = domain.ChangedSinceLocked
		if p.blocks() {
			warning.Kind = domain.ChangedToolBlocked
		}
		warning.Detail = changedMembers(p.definitions, *difference.Locked, *difference.Live)
	}
	return warning
}

// changedMembers names the members in which two definitions differ.
func changedMembers(definitions ports.Definitions, before, after domain.Pin) string {
	return strings.Join(domain.ChangedMembers(definitions.Changes(before, after)), ", ")
}

// pinsOf returns the pins of the tools, sorted by name.
func pinsOf(definitions ports.Definitions, tools []domain.ToolInfo) []domain.Pin {
	pins := make([]domain.Pin, len(tools))
	for i, tool := range tools {
		pins[i] = definitions.Pin(tool)
	}
	domain.SortPins(pins)
	return pins
}
