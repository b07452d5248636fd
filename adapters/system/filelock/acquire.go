// Package filelock lets one process at a time do something, with a lock of the operating system on a
// file. The lock ends with its process, even if that is killed, so nothing has to be cleaned up.
package filelock

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// pause is the time between attempts. Most locks are held for less than a second.
const pause = 5 * time.Millisecond

// File is a file that can be locked. It is not safe for concurrent use.
type File struct{ lock *flock.Flock }

// New returns the file at path, which Lock creates if necessary. Nothing removes it.
func New(path string) *File {
	return &File{flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR))} // NFS locks files for writing only
}

// Lock locks the file until Unlock. It waits while this process or another one holds the lock. It polls,
// because waiting in the operating system cannot be interrupted.
//
// Failures: the context's cause, if it ends first; those of the file system.
func (f *File) Lock(ctx context.Context) error {
	_, err := f.lock.TryLockContext(ctx, pause)
	switch {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("lock %s: %w", f.lock.Path(), err)
	}
	return nil
}

// Unlock releases the lock, if it is held.
//
// Failures: those of the file system.
func (f *File) Unlock() error { return f.lock.Unlock() }

// Acquire locks the file at path and returns a function that releases the lock. Safe for concurrent use.
//
// Failures: those of [File.Lock].
func Acquire(ctx context.Context, path string) (release func(), err error) {
	file := New(path)
	return func() { _ = file.Unlock() }, file.Lock(ctx) // nothing was written
}
