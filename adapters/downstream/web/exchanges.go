package web

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/jsonrpc"
)

// mostResting is how many goroutines of a link rest between exchanges. A fresh one
// would have to grow its stack anew each time, which costs more than the exchange's
// own work.
const mostResting = 4

// mostSending is how many messages without an answer may be on their way.
const mostSending = 256

// Exchanges are the goroutines of one link: what runs on them has a context that
// ends with the link. Safe for concurrent use.
type Exchanges struct {
	newContext func() (context.Context, context.CancelFunc)
	cancelAll  context.CancelFunc
	over       <-chan struct{} // closed by cancelAll
	work       chan func()     // for those that rest
	sending    atomic.Int64    // messages without an answer

	mu         sync.Mutex
	closed     bool
	resting    int
	running    sync.WaitGroup // exchanges
	goroutines sync.WaitGroup
}

// NewExchanges returns exchanges of which none runs.
func NewExchanges() *Exchanges {
	ctx, cancel := context.WithCancel(context.Background())
	return &Exchanges{
		newContext: func() (context.Context, context.CancelFunc) { return context.WithCancel(ctx) },
		cancelAll:  cancel, over: ctx.Done(), work: make(chan func()),
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
	e.running.Add(1)
	exchange := func() {
		defer e.running.Done()
		defer cancel()
		run(ctx)
	}
	if e.resting > 0 {
		e.resting--
		e.work <- exchange // somebody is about to take it
		return cancel
	}
	e.goroutines.Go(func() { e.runAll(exchange) })
	return cancel
}

// Send runs send at the place of its message, which nobody answers, and does not wait
// for it. It fails with jsonrpc.ErrQueueFull when the server does not take what was
// sent before.
func (e *Exchanges) Send(place Place, send func(context.Context)) error {
	if e.sending.Load() >= mostSending {
		place.Arrived()
		return jsonrpc.ErrQueueFull
	}
	e.sending.Add(1)
	e.Start(func(ctx context.Context) {
		defer e.sending.Add(-1)
		defer place.Arrived()
		if place.Wait(ctx) {
			send(ctx)
		}
	})
	return nil
}

// runAll runs exchanges, one after the other, until enough others rest or the link
// ends.
func (e *Exchanges) runAll(exchange func()) {
	for {
		exchange()
		e.mu.Lock()
		rests := e.resting < mostResting && !e.closed
		if rests {
			e.resting++
		}
		e.mu.Unlock()
		if !rests {
			return
		}
		select {
		case exchange = <-e.work:
		case <-e.over:
			return
		}
	}
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
	e.goroutines.Wait()
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
