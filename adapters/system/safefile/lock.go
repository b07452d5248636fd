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

// AcquireLock locks the file at path, which it creates if necessary, and returns a function that releases the lock.
// It waits while this process or another one holds the lock. It polls, because waiting in the operating system cannot
// be interrupted. The lock is one of the operating system: it ends with its process, even if that is killed, so nothing
// has to be cleaned up, and nothing removes the file. Safe for concurrent use.
//
// Failures: the context's cause, if it ends first; those of the file system.
func AcquireLock(ctx context.Context, path string) (release func(), err error) {
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR)) // NFS locks files for writing only
	release = func() { _ = lock.Unlock() }                        // nothing was written
	_, err = lock.TryLockContext(ctx, lockPause)
	switch {
	case err != nil && ctx.Err() != nil:
		return release, context.Cause(ctx)
	case err != nil:
		return release, fmt.Errorf("lock %s: %w", path, err)
	}
	return release, nil
}
