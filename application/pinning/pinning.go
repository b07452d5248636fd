package pinning

import (
	"slices"
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
