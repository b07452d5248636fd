package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
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
	reply    func(answer)
	forget   func() bool // ends the watch on the request's end
}

// heldQuestion is something that the server of a held call asks for.
type heldQuestion struct {
	key     string
	request json.RawMessage // {"method":…,"params":…}
	reply   domain.Reply
	forget  func() bool
}

// statePrefix begins the state by which the workbench knows a held call; what
// begins otherwise is a server's own.
const statePrefix = "mcp-workbench:"

// hold registers a call before it is made.
func (h *Host) hold(server domain.ServerID, limit time.Duration, e *exchange, reply func(answer)) *heldCall {
	call := &heldCall{host: h, server: server, limit: limit}
	call.waiting = call.wait(e, reply)
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

// exchange returns the request that waits, nil if none does.
func (c *heldCall) exchange() *exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		return nil
	}
	return c.waiting.exchange
}

// wait makes a request wait for the outcome; when it ends unanswered, so does the
// call.
func (c *heldCall) wait(e *exchange, reply func(answer)) *waiting {
	w := &waiting{exchange: e, reply: reply}
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

// end forgets the call.
func (c *heldCall) end() {
	c.host.release(c)
	c.ctx.end()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.abandoned != nil {
		c.abandoned.Stop()
	}
}

// ask hands a question of the server to the host, at once if it waits.
func (c *heldCall) ask(ctx context.Context, request domain.Message, reply domain.Reply) {
	asked := append([]byte(`{"method":`), jsonrpc.Quote(request.Method)...)
	if request.Params != nil {
		asked = append(append(asked, `,"params":`...), request.Params...)
	}
	q := &heldQuestion{request: append(asked, '}'), reply: reply}
	c.mu.Lock()
	c.last++
	q.key = strconv.Itoa(c.last)
	c.questions = append(c.questions, q)
	q.forget = context.AfterFunc(ctx, func() {
		if c.withdraw(q) {
			q.reply(domain.Answer{}, ctx.Err())
		}
	})
	c.mu.Unlock()
	c.handOver()
}

// withdraw removes a question and reports whether it was still open.
func (c *heldCall) withdraw(q *heldQuestion) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := len(c.questions)
	c.questions = slices.DeleteFunc(c.questions, func(other *heldQuestion) bool { return other == q })
	return len(c.questions) < before
}

// handOver gives the host the word if it waits and there are questions.
func (c *heldCall) handOver() {
	c.mu.Lock()
	w := c.waiting
	if w == nil || len(c.questions) == 0 {
		c.mu.Unlock()
		return
	}
	c.waiting = nil
	c.state = statePrefix + rand.Text()
	result := []byte(`{"resultType":"input_required","inputRequests":{`)
	for i, q := range c.questions {
		if i > 0 {
			result = append(result, ',')
		}
		result = append(append(append(result, jsonrpc.Quote(q.key)...), ':'), q.request...)
	}
	result = append(append(append(result, `},"requestState":`...), jsonrpc.Quote(c.state)...), '}')
	if c.abandoned == nil {
		c.abandoned = time.AfterFunc(c.limit, c.timeOut)
	} else {
		c.abandoned.Reset(c.limit)
	}
	c.mu.Unlock()
	w.forget()
	w.reply(answer{result: result})
}

// timeOut ends a call that the host did not continue.
func (c *heldCall) timeOut() {
	c.mu.Lock()
	alone := c.waiting == nil
	c.mu.Unlock()
	if alone {
		c.host.log.Warn("ended a call that the host did not continue", "toolbox", c.server.Toolbox, "server", c.server.Server)
		c.end()
	}
}

// resume continues the call with what the host answers: an object of the answers
// by the keys of the questions.
func (c *heldCall) resume(e *exchange, responses json.RawMessage, reply func(answer)) {
	var replies []func()
	c.mu.Lock()
	if c.waiting != nil || c.ctx.Err() != nil {
		c.mu.Unlock()
		reply(errorAnswer(endedExchange))
		return
	}
	c.abandoned.Stop()
	// What does not answer a question is no answer.
	_ = jsonrpc.Object(responses, func(key, value []byte) error {
		i := slices.IndexFunc(c.questions, func(q *heldQuestion) bool { return q.key == string(key) })
		if i >= 0 {
			q := c.questions[i]
			c.questions = slices.Delete(c.questions, i, i+1)
			result := bytes.Clone(value)
			replies = append(replies, func() { q.forget(); q.reply(domain.Answer{Result: result}, nil) })
		}
		return nil
	})
	outcome := c.outcome
	if outcome == nil {
		c.waiting = c.wait(e, reply)
	}
	c.state = ""
	c.mu.Unlock()
	if outcome != nil {
		c.end()
		reply(*outcome)
		return
	}
	for _, answered := range replies {
		answered()
	}
	c.handOver()
}

// endedExchange is what a host reads that continues a call which is no more.
const endedExchange = "This exchange has ended: it was answered already, or its time was over. Call the tool again."

// isOwnState reports whether a request state is the workbench's own.
func isOwnState(state string) bool { return strings.HasPrefix(state, statePrefix) }
