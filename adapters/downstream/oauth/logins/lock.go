package logins

import (
	"context"
	"fmt"

	"mcp-workbench/adapters/system/safefile"
)

// lock acquires the lock of a login and returns a function that releases it. Goroutines of this process
// wait in a queue.
//
// Failures: ErrLocked, with the context's error; those of the file system.
func (s *Store) lock(ctx context.Context, path string) (release func(), err error) {
	leave, err := s.wait(ctx, path)
	if err != nil {
		return nil, err
	}
	unlock, err := safefile.AcquireLock(ctx, path)
	if err != nil {
		leave()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w: %w", ErrLocked, err)
		}
		return nil, err
	}
	return func() {
		if !s.keepsLock(path, unlock) {
			unlock()
		}
		leave()
	}, nil
}

// wait waits until no other goroutine of this process holds the lock.
func (s *Store) wait(ctx context.Context, path string) (leave func(), err error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx))
	}
	queue := s.queue(path)
	select {
	case queue <- struct{}{}:
		return func() { <-queue }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrLocked, context.Cause(ctx))
	}
}

// queue returns the channel with one place, which a goroutine of this process fills while it holds a
// lock.
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
