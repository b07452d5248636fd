package domain

import "slices"

// LockMode says what the command lock does with the differences it finds.
type LockMode int

const (
	// LockNew writes a lock where there is none.
	LockNew LockMode = iota
	// LockUpdate accepts every change.
	LockUpdate
	// LockCheck writes nothing.
	LockCheck
)

// NewLockMode returns the mode for a command line that accepts every change, or that only checks.
func NewLockMode(update, check bool) LockMode {
	switch {
	case update:
		return LockUpdate
	case check:
		return LockCheck
	}
	return LockNew
}

// LockRun is a comparison with the lock and its outcome.
type LockRun struct {
	Found   LockComparison
	Request LockRequest
	Mode    LockMode
	Written bool
}

// NoneReached reports whether a first lock would be empty because servers cannot be reached.
func (r LockRun) NoneReached() bool {
	return len(r.Found.Unreachable) > 0 && len(r.Found.Live.Servers) == 0
}

// WantsToWrite reports whether the lock is to be written. If only some servers were compared, it is
// written only if there is a lock. Packages are pinned only if all tools fit.
func (r LockRun) WantsToWrite() bool {
	switch r.Mode {
	case LockUpdate:
		return len(r.Request.Servers) == 0 || r.Found.Lock != nil
	case LockNew:
		if r.Found.Lock == nil {
			return r.Found.Broken == nil && !r.NoneReached()
		}
		return r.Request.Packages && len(r.Found.Differences) == 0 && r.packagesChange()
	case LockCheck:
	}
	return false
}

// packagesChange reports whether the lock would have other packages.
func (r LockRun) packagesChange() bool {
	return slices.ContainsFunc(r.Found.Packages, func(c PackageComparison) bool {
		return c.Differs() || c.Locked == nil && c.Live != nil
	})
}

// Failed reports whether the lock does not fit, a named package did not get its newest version,
// or a package that could be pinned has no pin.
func (r LockRun) Failed() bool {
	return !r.Written && !r.Found.Fits() || slices.ContainsFunc(r.Found.Packages, func(c PackageComparison) bool {
		return len(r.Request.Servers) > 0 && c.Failure != nil || c.Tried && c.Live == nil
	})
}
