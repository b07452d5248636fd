package mcpserver

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// heldCall is a call of a host of 2026-07-28, which servers cannot ask while it
// waits. When the server of the call asks for something, the host gets that as
// the result of its request ("input_required"), while the call goes on waiting in
// the server; the request with which the host continues takes the call over. Safe
// for concurrent use.
type heldCall struct {
	host   *Host
	server domain.ServerID
	limit  time.Duration // for which a host may leave the call alone
	ctx    requestContext

	mu        sync.Mutex
	waiting   *waiting // who gets the outcome, nil while the host has the word
	state     string   // what the host names the call by when it continues
	questions []*heldQuestion
	last      int     // number of questions so far
	outcome   *answer // came while the host had the word
	abandoned *time.Timer
}

// waiting is a request of the host that waits for the outcome of a held call.
type waiting struct {
	exchange *exchange
	progress func(ports.Progress) // nil if it asks for none
	reply    func(answer)
	forget   func() bool // ends the watch on the request's end
}

// statePrefix begins the state by which the workbench knows a held call; what
// begins otherwise is a server's own.
const statePrefix = "mcp-workbench:"

// isOwnState reports whether a request state is the workbench's own.
func isOwnState(state string) bool { return strings.HasPrefix(state, statePrefix) }

// hold registers a call before it is made.
func (h *Host) hold(server domain.ServerID, limit time.Duration, e *exchange, p params, reply func(answer)) *heldCall {
	call := &heldCall{host: h, server: server, limit: limit}
	call.waiting = call.wait(e, p, reply)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = append(h.held, call)
	return call
}

// heldFor returns the call during which a server asks: the newest whose host
// waits, else the newest.
func (h *Host) heldFor(server domain.ServerID) *heldCall {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found *heldCall
	for _, call := range slices.Backward(h.held) {
		if call.server != server {
			continue
		}
		if call.isWaitedFor() {
			return call
		}
		if found == nil {
			found = call
		}
	}
	return found
}

// heldBy returns the call that a host continues, nil if there is none.
func (h *Host) heldBy(state string) *heldCall {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, call := range h.held {
		if call.isKnownBy(state) {
			return call
		}
	}
	return nil
}

func (h *Host) release(call *heldCall) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = slices.DeleteFunc(h.held, func(other *heldCall) bool { return other == call })
}

func (c *heldCall) isWaitedFor() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting != nil
}

func (c *heldCall) isKnownBy(state string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state == state && state != ""
}

// report passes progress on to the request that waits, under its own token.
func (c *heldCall) report(said ports.Progress) {
	c.mu.Lock()
	w := c.waiting
	c.mu.Unlock()
	if w != nil && w.progress != nil {
		w.progress(said)
	}
}

// wait makes a request wait for the outcome; when it ends unanswered, so does the
// call.
func (c *heldCall) wait(e *exchange, p params, reply func(answer)) *waiting {
	w := &waiting{exchange: e, reply: reply}
	if !jsonscan.IsNull(p.meta.progressToken) {
		w.progress = e.progress(p.meta.progressToken)
	}
	w.forget = e.ctx.AfterFunc(func() { c.abandon(w) })
	return w
}

// abandon ends the call when the request that waited for it was cancelled.
func (c *heldCall) abandon(w *waiting) {
	c.mu.Lock()
	current := c.waiting == w
	c.mu.Unlock()
	if current {
		c.ctx.end()
	}
}

// finish takes the outcome of the call; its bytes are valid until it returns.
func (c *heldCall) finish(outcome answer) {
	c.mu.Lock()
	w := c.waiting
	if w == nil && c.ctx.Err() == nil {
		c.outcome = &answer{result: bytes.Clone(outcome.result), err: bytes.Clone(outcome.err)}
		c.mu.Unlock()
		return // until the host continues, or its time is over
	}
	c.waiting = nil
	c.mu.Unlock()
	c.end()
	if w != nil {
		w.forget()
		w.reply(outcome)
	}
}

// end forgets the call. What its server still asks is answered: it waits.
func (c *heldCall) end() {
	c.host.release(c)
	c.mu.Lock()
	c.ctx.end()
	if c.abandoned != nil {
		c.abandoned.Stop()
	}
	unanswered := c.questions
	c.questions = nil
	c.mu.Unlock()
	for _, q := range unanswered {
		q.forget()
		q.reply(refusedAnswer(jsonrpc.CodeInternal, callIsOver), nil)
	}
}

// callIsOver is what a server reads that asks for the sake of a call that ended.
const callIsOver = "the call for which this was asked is over"

// timeOut ends a call that the host did not continue.
func (c *heldCall) timeOut() {
	c.mu.Lock()
	alone := c.waiting == nil
	if alone {
		c.ctx.end() // so that nobody continues it now
	}
	c.mu.Unlock()
	if alone {
		c.host.log.Warn("ended a call that the host did not continue", "toolbox", c.server.Toolbox, "server", c.server.Server)
		c.end()
	}
}
