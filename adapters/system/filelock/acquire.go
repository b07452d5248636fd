// Package filelock lets one process at a time do something, by the lock of the
// operating system on a file. It ends with the process that holds it, however that
// process ends, so nothing has to be cleaned up.
package filelock

import (
	"context"
	"fmt"
	"os"
	"time"
)

// The pauses between attempts to get a lock that another process holds: short at first,
// since most are held for less than a second.
const (
	minPause = 2 * time.Millisecond
	maxPause = 20 * time.Millisecond
)

// The lock file holds nothing, and is this user's alone.
const fileMode = 0o600

// Acquire takes the lock on the file at path, which it makes, and returns what releases
// it. The file stays. It waits until nobody else has the lock, in this process or
// another one: it asks again and again, since the operating systems' own waiting cannot
// be interrupted. It is safe for concurrent use.
//
// Failures: the context's cause, when that ends first; those of the file system.
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
