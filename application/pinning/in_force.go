package pinning

import (
	"errors"
	"maps"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// inForce is the state of the lock at one moment. It never changes.
//
// The lock that counts is the one that there was at the first look, less what the file lost
// since. What the file got since waits for the next start, or until the user approves it in a
// terminal.
type inForce struct {
	// lock is the lock that counts, nil while there never was a file.
	lock *domain.Lock
	// withdrawn are the servers whose packages the file pinned and does not pin any more.
	withdrawn map[domain.ServerID]bool
	approval  string       // the last one that counted, or that was there at the first look
	file      *domain.Lock // as it was read last, nil when there was none
	err       error        // why it could not be read
	waits     bool         // the file holds more than counts
}

// latest is the lock that counts now. Safe for concurrent use.
type latest struct {
	pins ports.Pins
	last atomic.Pointer[inForce] // nil before the first look
}

// look reads the lock if it changed. Where nothing is allowed without a lock, one that comes
// later allows more than none. Changed says what became of a lock that changed, "" for none;
// it is said once.
func (l *latest) look(nothingWithout bool) (now *inForce, changed domain.LockChange) {
	for {
		before := l.last.Load()
		file, err := l.pins.Lock()
		if before != nil && before.read(file, err) && !before.waits {
			return before, ""
		}
		now, changed := next(before, file, err, l.pins.Approval, nothingWithout)
		// What another caller saw meanwhile may be newer, so the file is read again then.
		if l.last.CompareAndSwap(before, now) {
			return now, changed
		}
	}
}

// read reports whether this is what was read last: the port returns the same values as long as
// the file is the same.
func (f *inForce) read(file *domain.Lock, err error) bool {
	return file == f.file && err == f.err //nolint:errorlint // whether it is the same error, not what kind of one
}

// next returns what is known once the file was read again.
func next(
	before *inForce, file *domain.Lock, err error, approved func() (which string, ofLock bool), nothingWithout bool,
) (*inForce, domain.LockChange) {
	if before == nil {
		now := &inForce{lock: file, file: file, err: err}
		now.approval, _ = approved()
		if err != nil {
			now.lock = &domain.Lock{} // what was approved is not known
		}
		return now, ""
	}
	now := *before
	now.file, now.err = file, err
	isNew := !before.read(file, err)
	switch {
	case err != nil && isNew:
		return &now, domain.LockBroke
	case file == nil && isNew:
		return &now, domain.LockRemoved
	case file == nil:
		return &now, ""
	}
	return &now, now.take(isNew, approved, nothingWithout)
}

// take makes the lock that was read count as far as it may.
func (f *inForce) take(isNew bool, approved func() (string, bool), nothingWithout bool) domain.LockChange {
	before, file := f.lock, f.file
	switch {
	case before == nil && nothingWithout:
		before = &domain.Lock{}
	case before == nil: // every tool counted, and no package was pinned
		before = &domain.Lock{Servers: file.Servers}
	}
	withdrawn, returns := f.compareWithdrawn(before)
	f.waits = returns || file.Exceeds(before)
	if f.waits {
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
	case f.waits:
		return domain.LockWaits
	case isLess:
		return domain.LockRestricts
	}
	return ""
}

// compareWithdrawn returns the servers whose packages were pinned and are not any more in some
// lock that was read since, and whether the lock pins one of them again.
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

// Follow has a function called with each change of the lock, on a goroutine of its own, from
// now on.
func (p *Pinning) Follow(changed func(domain.LockChange)) { p.changed.Store(&changed) }

// Begin makes the next look at the lock the first one, as at the start of the program. It is for
// another lock than before, that of a configuration which the user just approved.
func (p *Pinning) Begin() { p.lock.last.Store(nil) }

// look returns the lock that counts now. It reads the file if that has changed.
func (p *Pinning) look(policy domain.PinPolicy) *inForce {
	now, changed := p.lock.look(policy == domain.PinBlock)
	if tell := p.changed.Load(); tell != nil && changed != "" {
		go (*tell)(changed) // it may wait for hosts, and reads the lock
	}
	return now
}
