package pinning

import (
	"errors"
	"maps"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// inForce is the immutable state of the lock at one moment.
//
// The lock that counts is the first one without later removals. Additions wait for the next start,
// or until the user approves them in a terminal.
type inForce struct {
	// lock is the lock that counts, nil if there was never a file.
	lock *domain.Lock
	// withdrawn are the servers whose pins were removed from the file.
	withdrawn    map[domain.ServerID]bool
	approval     string       // the id of the last approval that was applied, or of the one at the first look
	file         *domain.Lock // the file when it was last read, nil if there was none
	err          error        // why it could not be read
	hasAdditions bool         // whether the file has additions that do not count
}

// currentLock is the lock that counts now. Safe for concurrent use.
type currentLock struct {
	pins ports.Pins
	last atomic.Pointer[inForce] // nil before the first look
}

// look reads the lock if it changed. If requiresLock is set, no tool is allowed without a lock,
// so a new file is an addition. Changed describes a change of the lock, once, and is "" otherwise.
func (l *currentLock) look(requiresLock bool) (now *inForce, changed domain.LockChange) {
	for {
		before := l.last.Load()
		file, err := l.pins.Lock()
		if before != nil && before.isOf(file, err) && !before.hasAdditions {
			return before, ""
		}
		now, changed := next(before, file, err, l.pins.Approval, requiresLock)
		// Another caller may have stored a newer state meanwhile, so the file is read again then.
		if l.last.CompareAndSwap(before, now) {
			return now, changed
		}
	}
}

// isOf reports whether this is the state of file and err. The port returns the same values until
// the file changes.
func (f *inForce) isOf(file *domain.Lock, err error) bool {
	return file == f.file && err == f.err //nolint:errorlint // whether it is the same error, not what kind of one
}

// next returns the state after another reading of the file.
func next(
	before *inForce, file *domain.Lock, err error, approved func() (id string, ofLock bool), requiresLock bool,
) (*inForce, domain.LockChange) {
	if before == nil {
		now := &inForce{lock: file, file: file, err: err}
		now.approval, _ = approved()
		if err != nil {
			now.lock = &domain.Lock{} // the approved tools are not known
		}
		return now, ""
	}
	now := *before
	now.file, now.err = file, err
	isNew := !before.isOf(file, err)
	switch {
	case err != nil && isNew:
		return &now, domain.LockBroke
	case file == nil && isNew:
		return &now, domain.LockRemoved
	case file == nil:
		return &now, ""
	}
	return &now, now.take(isNew, approved, requiresLock)
}

// take applies the parts of the file that count.
func (f *inForce) take(isNew bool, approved func() (string, bool), requiresLock bool) domain.LockChange {
	before, file := f.lock, f.file
	switch {
	case before == nil && requiresLock:
		before = &domain.Lock{}
	case before == nil: // every tool counted, and no package was pinned
		before = &domain.Lock{Servers: file.Servers, Without: file.Without}
	}
	withdrawn, returns := f.compareWithdrawn(before)
	f.hasAdditions = returns || file.Exceeds(before)
	if f.hasAdditions {
		if approval, ofFile := approved(); ofFile && approval != f.approval {
			*f = inForce{lock: file, approval: approval, file: file}
			return domain.LockApproved
		}
	}
	after := before.RestrictedBy(file)
	isLess := after != f.lock || len(withdrawn) > len(f.withdrawn)
	f.lock, f.withdrawn = after, withdrawn
	switch {
	case !isNew:
	case f.hasAdditions:
		return domain.LockWaits
	case isLess:
		return domain.LockRestricts
	}
	return ""
}

// compareWithdrawn returns the servers whose pins were missing in some later lock, and whether the
// file pins one of them again.
func (f *inForce) compareWithdrawn(before *domain.Lock) (withdrawn map[domain.ServerID]bool, returns bool) {
	withdrawn = maps.Clone(f.withdrawn)
	for _, pinned := range before.Packages {
		_, isPinned := f.file.Package(pinned.ID)
		switch {
		case isPinned && withdrawn[pinned.ID]:
			returns = true
		case !isPinned && !withdrawn[pinned.ID]:
			if withdrawn == nil {
				withdrawn = map[domain.ServerID]bool{}
			}
			withdrawn[pinned.ID] = true
		}
	}
	return withdrawn, returns
}

// isGone reports whether the file was removed.
func (f *inForce) isGone() bool { return f.err == nil && f.file == nil && f.lock != nil }

// broken returns why the file cannot be used, nil if it can.
func (f *inForce) broken() *domain.LockBrokenError {
	if f.err == nil {
		return nil
	}
	if broken, ok := errors.AsType[*domain.LockBrokenError](f.err); ok {
		return broken
	}
	return &domain.LockBrokenError{Reason: f.err.Error()}
}

// Follow makes each later change of the lock call a function, on a goroutine of its own.
func (p *Pinning) Follow(onChange func(domain.LockChange)) { p.onChange.Store(&onChange) }

// Begin makes the next look at the lock the first one, as at the start of the program. It is called
// for the lock of another configuration, which the user just approved.
func (p *Pinning) Begin() { p.lock.last.Store(nil) }

// look returns the current state of the lock. It reads a changed file.
func (p *Pinning) look(policy domain.PinPolicy) *inForce {
	now, changed := p.lock.look(policy == domain.PinBlock)
	if tell := p.onChange.Load(); tell != nil && changed != "" {
		go (*tell)(changed) // it may wait for hosts, and reads the lock
	}
	return now
}
