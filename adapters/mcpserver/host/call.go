package host

import (
	"bytes"
	"context"
	"sync"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Call is a call of a host of 2026-07-28, to which servers cannot send requests.
// When the server of the call wants something from the host, the host's request is
// answered with "input_required" while the call goes on waiting in the server. The
// next request of the host, with the requestState of that answer, takes over the
// call. So a call has either a waiter, or input that the host was asked for. Safe
// for concurrent use.
type Call struct {
	host       *Host
	server     domain.ServerID
	inputReply time.Duration
	ctx        context.Context //nolint:containedctx // of the call in the server, which outlives each request of the host
	cancel     context.CancelFunc

	mu       sync.Mutex
	waiter   *waiter // nil while the host is asked for input
	state    string  // the requestState that the host was given last
	requests []*inputRequest
	lastKey  int
	outcome  *ports.Answer // that came while the host was asked for input
	timer    *time.Timer   // ends the call when the host does not reply; nil before the first round
	// confirming is what the person was asked about the call itself, nil for nothing.
	confirming *domain.ConfirmationQuestion
}

// waiter is a Waiter of a call.
type waiter struct {
	Waiter
	// unwatch stops watching the context of the host's request.
	unwatch func() bool
}

// Context returns the context of the call in the server. It ends with the call.
func (c *Call) Context() context.Context { return c.ctx }

// Progress passes progress on to the request that waits now, if it wants any.
func (c *Call) Progress(progress ports.Progress) {
	c.mu.Lock()
	w := c.waiter
	c.mu.Unlock()
	if w != nil && w.Waiter.Progress != nil {
		w.Waiter.Progress(progress)
	}
}

// Finish takes the outcome of the call. Its bytes are needed until Finish returns.
func (c *Call) Finish(outcome ports.Answer) {
	c.mu.Lock()
	w := c.waiter
	if w == nil && c.ctx.Err() == nil {
		c.outcome = &ports.Answer{Result: bytes.Clone(outcome.Result), Error: bytes.Clone(outcome.Error)}
		c.mu.Unlock()
		return // the host gets it when it continues the call
	}
	c.waiter = nil
	c.mu.Unlock()
	c.end()
	if w != nil {
		w.unwatch()
		w.Reply(outcome)
	}
}

func (c *Call) hasWaiter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiter != nil
}

func (c *Call) hasState(state string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state == state && state != ""
}

// wait makes a request of the host the waiter, as long as its context lasts.
func (c *Call) wait(ctx context.Context, given Waiter) *waiter {
	w := &waiter{Waiter: given}
	w.unwatch = context.AfterFunc(ctx, func() { c.abandon(w) })
	return w
}

// abandon cancels the call when the request that waited for it was cancelled.
func (c *Call) abandon(w *waiter) {
	c.mu.Lock()
	current := c.waiter == w
	c.mu.Unlock()
	if current {
		c.cancel()
	}
}

// expire ends a call that the host did not continue in time.
func (c *Call) expire() {
	c.mu.Lock()
	alone := c.waiter == nil
	if alone {
		c.cancel() // so that no request continues it from here on
	}
	c.mu.Unlock()
	if alone {
		c.host.log.Warn("ended a call that the host did not continue in time (limits.inputReply)",
			"toolbox", c.server.Toolbox, "server", c.server.Server)
		c.end()
	}
}

// end removes the call. Requests of its server that are open are refused, since it
// waits for their answers.
func (c *Call) end() {
	c.host.rounds.remove(c)
	c.mu.Lock()
	c.cancel()
	if c.timer != nil {
		c.timer.Stop()
	}
	open := c.requests
	c.requests = nil
	c.mu.Unlock()
	for _, request := range open {
		request.unwatch()
		request.reply(refused(jsonrpc.CodeInternal, callEnded), nil)
	}
}

// callEnded is what a server reads whose request came for a call that has ended.
const callEnded = "the call for which this was asked is over"
