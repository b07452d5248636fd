package safefile

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockPause is the time between attempts. Most locks are held for less than a second.
const lockPause = 5 * time.Millisecond

// Lock lets one process at a time do something, with a lock of the operating system on a file. It ends with its
// process, even if that is killed, so nothing has to be cleaned up. It is not safe for concurrent use.
type Lock struct{ lock *flock.Flock }

// NewLock returns the lock on the file at path, which Lock creates if necessary. Nothing removes it.
func NewLock(path string) *Lock {
	return &Lock{flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR))} // NFS locks files for writing only
}

// Lock locks the file until Unlock. It waits while this process or another one holds the lock. It polls,
// because waiting in the operating system cannot be interrupted.
//
// Failures: the context's cause, if it ends first; those of the file system.
func (l *Lock) Lock(ctx context.Context) error {
	_, err := l.lock.TryLockContext(ctx, lockPause)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("lock %s: %w", l.lock.Path(), err)
	}
	return nil
}

// Unlock releases the lock, if it is held.
//
// Failures: those of the file system.
func (l *Lock) Unlock() error { return l.lock.Unlock() }

// AcquireLock locks the file at path and returns a function that releases the lock. Safe for concurrent use.
//
// Failures: those of [Lock.Lock].
func AcquireLock(ctx context.Context, path string) (release func(), err error) {
	lock := NewLock(path)
	return func() { _ = lock.Unlock() }, lock.Lock(ctx) // nothing was written
}
