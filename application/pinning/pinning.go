package pinning

import (
	"slices"
	"strings"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Pinning decides by a policy and the lock which tools exist for the host. A nil Pinning has no
// lock: every tool exists. Safe for concurrent use.
type Pinning struct {
	policy      atomic.Pointer[domain.PinPolicy]
	packages    atomic.Pointer[domain.PackagePolicy]
	lock        currentLock
	definitions ports.Definitions
	// onChange is called with each change of the lock, unless it is nil.
	onChange atomic.Pointer[func(domain.LockChange)]
}

// New returns a Pinning with a policy. Pinned packages are used until SetPackages changes that.
func New(policy domain.PinPolicy, pins ports.Pins, definitions ports.Definitions) *Pinning {
	p := &Pinning{lock: currentLock{pins: pins}, definitions: definitions}
	p.SetPolicy(policy)
	p.SetPackages(domain.PackagesPinned)
	return p
}

// SetPolicy sets the policy of later states.
func (p *Pinning) SetPolicy(policy domain.PinPolicy) { p.policy.Store(&policy) }

// Blocks reports whether a model is shown only reviewed texts of servers.
func (p *Pinning) Blocks() bool { return p != nil && *p.policy.Load() == domain.PinBlock }

// LockState is the lock and the policy at one moment. Equal states give equal decisions.
type LockState struct {
	policy       domain.PinPolicy
	lock         *domain.Lock // may be nil
	broken       *domain.LockBrokenError
	gone         bool // the file of the lock was removed
	hasAdditions bool // the file has additions that do not count yet
}

// State returns the current state. It reads a changed lock, so callers must not hold a mutex.
func (p *Pinning) State() LockState {
	if p == nil {
		return LockState{policy: domain.PinOff}
	}
	policy := *p.policy.Load()
	if policy == domain.PinOff {
		return LockState{policy: policy}
	}
	now := p.look(policy)
	switch broken := now.broken(); {
	case broken != nil:
		return LockState{policy: policy, broken: broken}
	case now.isGone() && policy == domain.PinBlock: // this policy allows no tool without a lock
		return LockState{policy: policy}
	default:
		return LockState{policy: policy, lock: now.lock, gone: now.isGone(), hasAdditions: now.hasAdditions}
	}
}

// BlocksAll returns a failure if no tool exists because the lock cannot be used and the policy
// blocks tools that cannot be checked, otherwise nil.
func (p *Pinning) BlocksAll(state LockState) *domain.LockBrokenError {
	if state.blocks() {
		return state.broken
	}
	return nil
}

// Warnings returns the warnings about the lock as a whole.
func (p *Pinning) Warnings(state LockState) []domain.Warning {
	switch {
	case state.broken != nil:
		return []domain.Warning{{Kind: domain.LockUnusable, Detail: state.broken.Reason}}
	case state.gone:
		return []domain.Warning{{Kind: domain.LockGone}}
	case state.hasAdditions:
		return []domain.Warning{{Kind: domain.LockMoreLater}}
	case state.lock == nil && (state.policy == domain.PinWarn || state.policy == domain.PinBlock):
		return []domain.Warning{{Kind: domain.LockMissing}}
	}
	return nil
}

// Governs reports whether a lock decides about the tools of a toolbox: one that is in force, one that cannot be read,
// or one that is missing while the policy blocks tools that are not locked.
func (s LockState) Governs(toolbox domain.ToolboxName) bool {
	return s.broken != nil || s.blocks() || s.lock != nil && !slices.Contains(s.lock.Without, toolbox)
}

// HasLock reports whether tools are compared with a lock.
func (s LockState) HasLock() bool { return s.lock != nil }

// Doubts reports whether a lock is in force and a tool of a list from Apply differs, or could
// differ, from it. The tool's name means nothing then, since servers choose names.
func (s LockState) Doubts(list domain.ToolList, tool string) bool {
	return s.broken != nil || s.lock != nil && list.Unlocked[tool]
}

// Confirms reports whether a filtered list has exactly the tools of the lock: none differs and none
// is missing. It compares only the members of definitions that are in the lock.
func (p *Pinning) Confirms(server domain.Server, list domain.ToolList, state LockState) bool {
	if state.lock == nil {
		return false
	}
	locked, known := state.lock.Server(server.ID)
	if !known {
		return false
	}
	differences := locked.Violations(ToolsOf(p.definitions, server.Pinned, list.Tools))
	return !slices.ContainsFunc(differences, func(difference domain.Difference) bool {
		return difference.Live != nil || server.Tools.Allows(difference.Tool.Tool)
	})
}

func (s LockState) blocks() bool { return s.policy == domain.PinBlock }

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
	return p.compareTexts(list, locked, server.Pinned, blocks)
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
