package logins

import (
	"context"
	"fmt"
	"os"
	"time"
)

// The pauses between attempts to get a lock that another process holds: short at first,
// since most refreshes take less than a second.
const (
	minLockPause = 2 * time.Millisecond
	maxLockPause = 20 * time.Millisecond
)

// lock takes the lock of a login and returns what releases it. Goroutines of this
// process wait in a queue, processes ask again and again, since the operating systems'
// waiting cannot be interrupted.
//
// Failures: ErrLocked, with the context's error; those of the file system.
func (s *Store) lock(ctx context.Context, path string) (release func(), err error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx))
	}
	queue := s.queue(path)
	select {
	case queue <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx))
	}
	defer func() {
		if err != nil {
			<-queue
		}
	}()
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	for pause := minLockPause; ; pause = min(2*pause, maxLockPause) {
		taken, err := tryLock(file)
		if err != nil {
			_ = file.Close() // nothing was written
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		if taken && ctx.Err() == nil {
			return func() {
				_ = file.Close() // which releases the lock; nothing was written
				<-queue
			}, nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			_ = file.Close() // nothing was written
			return nil, fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx))
		}
	}
}

// queue returns the place that a goroutine of this process takes while it holds a lock.
func (s *Store) queue(path string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	queue, ok := s.queues[path]
	if !ok {
		queue = make(chan struct{}, 1)
		s.queues[path] = queue
	}
	return queue
}
