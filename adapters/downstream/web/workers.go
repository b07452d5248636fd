package web

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/jsonrpc"
)

// maxResting is the number of goroutines of a link that rest between tasks. A new goroutine has to grow its
// stack for net/http: without resting ones a small call over HTTP takes 19 % longer (55 µs instead
// of 46, medians of 8 alternating runs).
const maxResting = 4

// maxSending is the number of messages that need no answer that may be under way.
const maxSending = 256

// Workers are the goroutines of one link. Their contexts end with the link. Safe for concurrent use.
type Workers struct {
	newContext func() (context.Context, context.CancelFunc)
	cancelAll  context.CancelFunc
	ended      <-chan struct{} // closed by cancelAll
	tasks      chan func()     // received by goroutines that rest
	resting    atomic.Int64
	sending    atomic.Int64 // messages that need no answer

	mu         sync.Mutex
	closed     bool
	running    sync.WaitGroup // tasks; grows only while closed is false
	goroutines sync.WaitGroup // those that rest included; grows only while closed is false
}

// NewWorkers returns workers without a running goroutine.
func NewWorkers() *Workers {
	ctx, cancel := context.WithCancel(context.Background())
	return &Workers{
		newContext: func() (context.Context, context.CancelFunc) { return context.WithCancel(ctx) },
		cancelAll:  cancel, ended: ctx.Done(), tasks: make(chan func()),
	}
}

// NewContext returns a context that ends when cancel is called, or with the link.
func (w *Workers) NewContext() (ctx context.Context, cancel context.CancelFunc) {
	return w.newContext()
}

// Start runs a function on a goroutine, unless Close was called. Its context ends
// when cancel is called, or with the link.
func (w *Workers) Start(run func(context.Context)) (cancel context.CancelFunc) {
	ctx, cancel := w.NewContext()
	w.StartWith(ctx, cancel, run)
	return cancel
}

// StartWith is Start with a context of NewContext, for callers that need cancel
// before run can use it. It calls cancel when run returns.
func (w *Workers) StartWith(ctx context.Context, cancel context.CancelFunc, run func(context.Context)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		cancel()
		return
	}
	w.running.Add(1)
	task := func() {
		defer w.running.Done()
		defer cancel()
		run(ctx)
	}
	select {
	case w.tasks <- task: // a resting goroutine takes it
	default:
		w.goroutines.Go(func() { w.runTasks(task) })
	}
}

// runTasks runs a task and then those that Start hands over, until enough other goroutines rest or
// the link ends.
func (w *Workers) runTasks(task func()) {
	for {
		task()
		if w.resting.Add(1) > maxResting {
			w.resting.Add(-1)
			return
		}
		select {
		case task = <-w.tasks:
			w.resting.Add(-1)
		case <-w.ended:
			return
		}
	}
}

// Send calls send, which sends a message that needs no answer, on a goroutine in the message's turn. It
// returns jsonrpc.ErrQueueFull if the server does not accept earlier messages.
func (w *Workers) Send(ticket Ticket, send func(context.Context)) error {
	if w.sending.Load() >= maxSending {
		ticket.Done()
		return jsonrpc.ErrQueueFull
	}
	w.sending.Add(1)
	w.Start(func(ctx context.Context) {
		defer w.sending.Add(-1)
		defer ticket.Done()
		if ticket.Wait(ctx) {
			send(ctx)
		}
	})
	return nil
}

// Close refuses new tasks and lets running ones continue for the grace, or until the context ends.
// Then it cancels the rest, and returns when all have ended.
func (w *Workers) Close(ctx context.Context, grace time.Duration) {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	bounded, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	defer context.AfterFunc(bounded, w.cancelAll)()
	w.running.Wait()
	w.cancelAll()
	w.goroutines.Wait()
}

// Pause waits for the given time. It returns false if the context ends first.
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
