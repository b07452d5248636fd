package logins

import (
	"context"
	"fmt"

	"mcp-workbench/adapters/system/filelock"
)

// lock takes the lock of a login and returns what releases it. Goroutines of this
// process wait in a queue, so that they come one after the other.
//
// Failures: ErrLocked, with the context's error; those of the file system.
func (s *Store) lock(ctx context.Context, path string) (release func(), err error) {
	leave, err := s.wait(ctx, path)
	if err != nil {
		return nil, err
	}
	unlock, err := filelock.Acquire(ctx, path)
	if err != nil {
		leave()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w: %w", ErrLocked, err)
		}
		return nil, err
	}
	return func() {
		unlock()
		leave()
	}, nil
}

// wait waits for the other goroutines of this process that hold the lock.
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
