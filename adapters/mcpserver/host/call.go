package host

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Call is a call of a host of 2026-07-28, to which servers cannot send requests. When the server
// needs input, the host's request is answered with "input_required" while the call in the server
// continues. The next request of the host, with the requestState of that answer, takes over the
// call. So a call either has a waiter or has asked the host for input. Safe for concurrent use.
type Call struct {
	host       *Host
	server     domain.ServerID
	inputReply time.Duration
	ctx        context.Context //nolint:containedctx // of the call in the server, which outlives each request of the host
	cancel     context.CancelFunc

	mu       sync.Mutex
	waiter   *waiter // nil while the host is asked for input
	state    string  // the last requestState for the host
	requests []*inputRequest
	lastKey  int
	outcome  *ports.Answer // set if the call finished while the host was asked for input
	timer    *time.Timer   // ends the call when the host does not reply; nil before the first round
	// confirming is the question to the user about the call, nil if there was none.
	confirming *domain.ConfirmationQuestion
}

// waiter is a Waiter of a call.
type waiter struct {
	Waiter
	// unwatch stops watching the context of the host's request.
	unwatch func() bool
	// whenLost sets the function to call if the host does not read the answer. It is nil if that cannot be
	// known.
	whenLost func(func())
}

// LossKey is a key in the context of a host's request. Its value is a func(func()), which sets the function
// to call if the host does not read the answer to the request.
type LossKey struct{}

// Context returns the context of the call in the server. It ends with the call.
func (c *Call) Context() context.Context { return c.ctx }

// Progress passes progress on to the waiter, if it wants any.
func (c *Call) Progress(progress ports.Progress) {
	c.mu.Lock()
	w := c.waiter
	c.mu.Unlock()
	if w != nil && w.Waiter.Progress != nil {
		w.Waiter.Progress(progress)
	}
}

// Finish ends the call with its outcome, whose bytes it does not keep.
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

// wait returns a waiter for a request of the host. The call is abandoned if it is still the waiter
// when the context ends.
func (c *Call) wait(ctx context.Context, given Waiter) *waiter {
	w := &waiter{Waiter: given}
	w.whenLost, _ = ctx.Value(LossKey{}).(func(func()))
	w.unwatch = context.AfterFunc(ctx, func() { c.abandon(w) })
	return w
}

// abandon cancels the call if w, whose request was cancelled, is still its waiter.
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
	expired := c.waiter == nil
	if expired {
		c.cancel() // so that no request continues it
	}
	c.mu.Unlock()
	if expired {
		c.host.log.Warn("ended a call that the host did not continue in time (limits.inputReply)",
			"toolbox", c.server.Toolbox, "server", c.server.Server)
		c.end()
	}
}

// lose ends a call whose host did not read the request for input with that state.
func (c *Call) lose(state string) {
	c.mu.Lock()
	isLost := c.waiter == nil && c.state == state
	if isLost {
		c.cancel() // so that no request continues it
	}
	c.mu.Unlock()
	if isLost {
		c.end()
	}
}

// end removes the call and refuses the pending requests of its server, which waits for their
// answers.
func (c *Call) end() {
	c.host.calls.remove(c)
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
		request.reply(refusal(mcp.INTERNAL_ERROR, callEnded), nil)
	}
}

// callEnded is the answer to a request for input of a call that has ended.
const callEnded = "the call that this request belongs to has ended"
