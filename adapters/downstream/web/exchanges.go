package web

import (
	"context"
	"sync"
	"time"
)

// Exchanges are the goroutines of one link, each with a context that ends with the
// link. Safe for concurrent use.
type Exchanges struct {
	newContext func() (context.Context, context.CancelFunc)
	cancelAll  context.CancelFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// NewExchanges returns exchanges of which none runs.
func NewExchanges() *Exchanges {
	ctx, cancel := context.WithCancel(context.Background())
	return &Exchanges{
		newContext: func() (context.Context, context.CancelFunc) { return context.WithCancel(ctx) },
		cancelAll:  cancel,
	}
}

// Start runs an exchange, unless Close was called. Its context ends when cancel is
// called, or with the link.
func (e *Exchanges) Start(run func(context.Context)) (cancel context.CancelFunc) {
	ctx, cancel := e.newContext()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		cancel()
		return cancel
	}
	e.running.Go(func() {
		defer cancel()
		run(ctx)
	})
	return cancel
}

// Close starts nothing more, gives those that run the grace to end, or until the
// context ends, cancels them, and returns when all have ended.
func (e *Exchanges) Close(ctx context.Context, grace time.Duration) {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	bounded, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	defer context.AfterFunc(bounded, e.cancelAll)()
	e.running.Wait()
	e.cancelAll()
}

// Pause waits and reports whether the context lasted that long.
func Pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
