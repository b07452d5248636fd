// Package filelock lets one process at a time do something, by a lock of the operating system on a
// file. The lock ends with its process, however that ends, so nothing has to be cleaned up.
package filelock

import (
	"context"
	"fmt"
	"os"
	"time"
)

// The pauses between attempts: short at first, since most locks are held for less than a second.
const (
	minPause = 2 * time.Millisecond
	maxPause = 20 * time.Millisecond
)

const fileMode = 0o600

// Acquire locks the file at path, which it creates, and returns a function that releases the lock. The
// file stays. Acquire waits while the lock is held, in this process or another one. It polls, because
// the waiting of operating systems cannot be interrupted. Safe for concurrent use.
//
// Failures: the context's cause, if it ends first; those of the file system.
func Acquire(ctx context.Context, path string) (release func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		taken, err := try(file)
		if err != nil {
			_ = file.Close() // nothing was written
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if taken && ctx.Err() == nil {
			return func() { _ = file.Close() }, nil // which releases the lock; nothing was written
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			_ = file.Close() // nothing was written
			return nil, context.Cause(ctx)
		}
	}
}
