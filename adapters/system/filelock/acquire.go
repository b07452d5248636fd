// Package filelock lets one process at a time do something, with a lock of the operating system on a
// file. The lock ends with its process, even if that is killed, so nothing has to be cleaned up.
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

// Acquire locks the file at path and returns a function that releases the lock. It creates the file if
// necessary and does not remove it. Acquire waits while this process or another one holds the lock. It
// polls, because waiting in the operating system cannot be interrupted. Safe for concurrent use.
//
// Failures: the context's cause, if it ends first; those of the file system.
func Acquire(ctx context.Context, path string) (release func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := file.Lock(ctx); err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	return func() { _ = file.Close() }, nil // nothing was written
}

// File is an open file that can be locked many times without opening it again. It is not safe for
// concurrent use.
type File struct{ file *os.File }

// Open opens the file at path to lock it, and creates it if necessary.
//
// Failures: those of the file system.
func Open(path string) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	return &File{file}, nil
}

// Lock locks the file until Unlock or Close. It waits like Acquire.
//
// Failures: those of Acquire.
func (f *File) Lock(ctx context.Context) error {
	for pause := minPause; ; pause = min(2*pause, maxPause) {
		taken, err := try(f.file)
		if err != nil {
			return fmt.Errorf("lock %s: %w", f.file.Name(), err)
		}
		if taken && ctx.Err() == nil {
			return nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			if taken {
				_ = f.Unlock() // the caller gave up
			}
			return context.Cause(ctx)
		}
	}
}

// Unlock releases the lock.
//
// Failures: those of the file system.
func (f *File) Unlock() error {
	if err := unlock(f.file); err != nil {
		return fmt.Errorf("unlock %s: %w", f.file.Name(), err)
	}
	return nil
}

// Close closes the file, which releases its lock.
func (f *File) Close() error { return f.file.Close() }
