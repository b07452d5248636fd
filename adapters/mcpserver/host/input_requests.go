package host

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// inputRequest is a request of the server to the host during a call.
type inputRequest struct {
	key     string
	raw     json.RawMessage // {"method":…,"params":…}
	reply   ports.Reply
	unwatch func() bool // stops watching the context of the server's request
}

// request adds a request of the server. The host gets it immediately if it is waiting.
func (c *Call) request(ctx context.Context, message ports.Message, reply ports.Reply) {
	params := message.Params
	if params == nil {
		params = json.RawMessage("{}") // without it, hosts made with go-sdk 1.8 cannot read the whole result
	}
	r := &inputRequest{raw: rawjson.Object{}.Text("method", message.Method).Raw("params", params).JSON(), reply: reply}
	c.mu.Lock()
	if c.ctx.Err() != nil {
		c.mu.Unlock()
		reply(refusal(mcp.INTERNAL_ERROR, callEnded), nil)
		return
	}
	c.lastKey++
	r.key = strconv.Itoa(c.lastKey)
	c.requests = append(c.requests, r)
	r.unwatch = context.AfterFunc(ctx, func() {
		if c.withdraw(r) {
			r.reply(ports.Answer{}, ctx.Err())
		}
	})
	c.mu.Unlock()
	c.requestInput()
}

// withdraw removes a request and reports whether it was still open.
func (c *Call) withdraw(r *inputRequest) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := len(c.requests)
	c.requests = slices.DeleteFunc(c.requests, func(other *inputRequest) bool { return other == r })
	return len(c.requests) < before
}

// requestInput asks the host for input, if it is waiting and there are requests for it.
func (c *Call) requestInput() {
	w, state, result := c.nextRound()
	if w == nil {
		return
	}
	w.unwatch()
	if w.whenLost != nil {
		w.whenLost(func() { c.lose(state) })
	}
	if !w.Reply(ports.Answer{Result: result}) {
		c.end() // the host cancelled its request, so it cannot continue the call
	}
}

// nextRound begins a round of input. It returns the waiter to answer, and the state and result of
// the answer; w is nil if there is no round to begin.
func (c *Call) nextRound() (w *waiter, state string, result json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w = c.waiter
	if w == nil || len(c.requests) == 0 || c.ctx.Err() != nil {
		return nil, "", nil
	}
	c.waiter = nil
	c.state = statePrefix + rand.Text()
	if c.timer == nil {
		c.timer = time.AfterFunc(c.inputReply, c.expire)
	} else {
		c.timer.Reset(c.inputReply)
	}
	var requests rawjson.Object
	for _, r := range c.requests {
		requests = requests.Raw(r.key, r.raw)
	}
	return w, c.state, rawjson.Object{}.
		Text("resultType", string(mcp.ResultTypeInputRequired)).
		Raw("inputRequests", requests.JSON()).
		Text("requestState", c.state).
		JSON()
}

// Continue makes the next request of the host, with its raw inputResponses, the waiter. It returns
// false, and does nothing, if the call has ended or another request continued it.
func (c *Call) Continue(ctx context.Context, responses json.RawMessage, given Waiter) bool {
	c.mu.Lock()
	if c.waiter != nil || c.ctx.Err() != nil {
		c.mu.Unlock()
		return false
	}
	c.timer.Stop()
	answered := c.takeAnsweredLocked(responses)
	outcome := c.outcome
	if outcome == nil {
		c.waiter = c.wait(ctx, given)
	}
	c.state = ""
	c.mu.Unlock()
	for _, r := range answered {
		r.unwatch()
		r.reply(ports.Answer{Result: r.result}, nil)
	}
	if outcome != nil {
		c.end()
		given.Reply(*outcome)
		return true
	}
	c.requestInput()
	return true
}

// answeredRequest is a request with the host's answer.
type answeredRequest struct {
	*inputRequest
	result json.RawMessage
}

// takeAnsweredLocked removes and returns the requests that an object of responses answers by their
// keys. It ignores other members, and anything but an object.
func (c *Call) takeAnsweredLocked(responses json.RawMessage) []answeredRequest {
	var answered []answeredRequest
	_ = rawjson.EachMember(responses, func(key, value []byte) error {
		i := slices.IndexFunc(c.requests, func(r *inputRequest) bool { return r.key == string(key) })
		if i >= 0 {
			answered = append(answered, answeredRequest{c.requests[i], bytes.Clone(value)})
			c.requests = slices.Delete(c.requests, i, i+1)
		}
		return nil
	})
	return answered
}
