package pinning

import "mcp-workbench/domain"

// SetPackages makes later decisions about packages be made by another policy.
func (p *Pinning) SetPackages(policy domain.PackagePolicy) { p.packages.Store(&policy) }

// PackageState is what the lock and the policies say about packages at one moment.
type PackageState struct {
	// Lock is the lock that is in force, nil when there is none.
	Lock *domain.Lock
	// Broken says why there is none that can be used, otherwise nil.
	Broken *domain.LockBrokenError
	// OnlyPinned says that of the servers which are fetched only pinned ones may start.
	OnlyPinned bool
	// OnlyAsPinned says that a server whose pin cannot be used must not start.
	OnlyAsPinned bool
	// WarnsOfLock says that whoever opens a toolbox is told of a lock that cannot be used.
	WarnsOfLock bool
	// withdrawn are the servers whose packages the file of the lock does not pin any more.
	withdrawn map[domain.ServerID]bool
}

// AsLocked returns the state in which the packages of a lock are the ones to start, and no
// others in their place. Servers without one start as they are configured.
func AsLocked(lock *domain.Lock) PackageState { return PackageState{Lock: lock, OnlyAsPinned: true} }

// IsNothing reports whether every server starts as it is configured.
func (s PackageState) IsNothing() bool {
	return !s.OnlyPinned && s.Broken == nil && (s.Lock == nil || len(s.Lock.Packages) == 0)
}

// Package returns the pin of a server's package, and whether there is one. A pin that was taken
// out of the lock counts until the next start, since without it another version might run, but
// for a policy by which the server does not run without it.
func (s PackageState) Package(id domain.ServerID) (domain.PackagePin, bool) {
	if s.Lock == nil || s.OnlyPinned && s.withdrawn[id] {
		return domain.PackagePin{}, false
	}
	return s.Lock.Package(id)
}

// Packages returns the state as it is now. It reads the lock if that has changed, so no
// mutex is held while it is called.
func (p *Pinning) Packages() PackageState {
	policy, pins := *p.packages.Load(), *p.policy.Load()
	if policy == domain.PackagesOff && pins == domain.PinOff {
		return PackageState{}
	}
	now := p.look(pins) // before a server runs, which may write the file
	if policy == domain.PackagesOff {
		return PackageState{}
	}
	state := PackageState{
		OnlyPinned: policy == domain.PackagesLocked, OnlyAsPinned: policy == domain.PackagesLocked || pins == domain.PinBlock,
		WarnsOfLock: pins != domain.PinOff,
	}
	// A lock that broke does not make servers start as they are configured, which may be at
	// another version.
	if broken := now.broken(); broken != nil && (state.OnlyAsPinned || now.lock == nil || len(now.lock.Packages) == 0) {
		state.Broken = broken
		return state
	}
	state.Lock, state.withdrawn = now.lock, now.withdrawn
	return state
}
