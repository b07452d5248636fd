package pinning

import "mcp-workbench/domain"

// SetPackages sets the policy of later decisions about packages.
func (p *Pinning) SetPackages(policy domain.PackagePolicy) { p.packages.Store(&policy) }

// PackageState holds what the lock and the policies say about packages at one moment.
type PackageState struct {
	// Lock is the lock that is in force, or nil.
	Lock *domain.Lock
	// Broken says why the lock cannot be used, nil if it can.
	Broken *domain.LockBrokenError
	// OnlyPinned says that a server whose launcher fetches its package must be pinned to start.
	OnlyPinned bool
	// OnlyAsPinned says that a server whose pin cannot be used must not start.
	OnlyAsPinned bool
	// WarnsOfLock says that opened toolboxes have a warning about a lock that cannot be used.
	WarnsOfLock bool
	// withdrawn are the servers whose pins were removed from the file of the lock.
	withdrawn map[domain.ServerID]bool
}

// AsLocked returns the state in which the packages of a lock start at their versions or not at all.
// Servers without a pin start as configured.
func AsLocked(lock *domain.Lock) PackageState { return PackageState{Lock: lock, OnlyAsPinned: true} }

// IsNothing reports whether every server starts as configured.
func (s PackageState) IsNothing() bool {
	return !s.OnlyPinned && s.Broken == nil && (s.Lock == nil || len(s.Lock.Packages) == 0)
}

// Package returns the pin of a server's package, and whether there is one. A pin that was removed
// from the lock counts until the next start, since without it another version could run, unless the
// policy keeps servers without a pin from starting.
func (s PackageState) Package(id domain.ServerID) (domain.PackagePin, bool) {
	if s.Lock == nil || s.OnlyPinned && s.withdrawn[id] {
		return domain.PackagePin{}, false
	}
	return s.Lock.Package(id)
}

// Packages returns the current state. It reads a changed lock, so callers must not hold a mutex.
func (p *Pinning) Packages() PackageState {
	policy, pins := *p.packages.Load(), *p.policy.Load()
	if policy == domain.PackagesOff && pins == domain.PinOff {
		return PackageState{}
	}
	now := p.look(pins) // before a server runs, since servers can write the file
	if policy == domain.PackagesOff {
		return PackageState{}
	}
	state := PackageState{
		OnlyPinned: policy == domain.PackagesLocked, OnlyAsPinned: policy == domain.PackagesLocked || pins == domain.PinBlock,
		WarnsOfLock: pins != domain.PinOff,
	}
	// After a lock broke, servers do not start as configured, which could be at another version.
	if broken := now.broken(); broken != nil && (state.OnlyAsPinned || now.lock == nil || len(now.lock.Packages) == 0) {
		state.Broken = broken
		return state
	}
	state.Lock, state.withdrawn = now.lock, now.withdrawn
	return state
}
