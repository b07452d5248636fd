package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// mostAsked is how many requests of one server may wait for the host at once.
const mostAsked = 64

// ask has a request of the server answered: ping at once, everything else by the
// host.
func (c *Conversation) ask(message jsonrpc.Message) {
	id := bytes.Clone(message.ID)
	if message.Method == domain.MethodPing {
		c.answer(id, message.Method, jsonrpc.Result(id, json.RawMessage("{}")))
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	if refusal := c.beginAsked(string(id), cancel); refusal != "" {
		cancel()
		c.answer(id, message.Method, jsonrpc.Error(id, jsonrpc.CodeInvalidRequest, refusal))
		return
	}
	method := message.Method
	c.peer.asked(ctx, ports.Message{Method: method, Params: message.Params}, func(answer ports.Answer, err error) {
		defer cancel()
		if !c.endAsked(string(id)) {
			return // the server gave it up, or is gone
		}
		switch {
		case err != nil:
			c.answer(id, method, jsonrpc.Error(id, jsonrpc.CodeInternal, fmt.Sprintf("the host cannot be asked: %v", err)))
		case answer.Error != nil:
			c.answer(id, method, jsonrpc.RawError(id, answer.Error))
		default:
			c.answer(id, method, jsonrpc.Result(id, answer.Result))
		}
	})
}

// answer has an answer sent to the server.
func (c *Conversation) answer(id json.RawMessage, method string, frame jsonrpc.Frame) {
	if err := c.outlet.Answer(frame); err != nil {
		c.log.Debug("could not answer a request of the server", "method", method, "id", string(id), "error", err)
	}
}

// beginAsked registers a request of the server, whose end cancel tells to the
// host. It returns what forbids it, "" if nothing does.
func (c *Conversation) beginAsked(id string, cancel context.CancelFunc) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, taken := c.asked[id]; {
	case c.failure != nil:
		return c.failure.Error()
	case taken:
		return "a request with this id is under way"
	case len(c.asked) >= mostAsked:
		return "too many requests are under way"
	}
	c.asked[id] = cancel
	return ""
}

// endAsked forgets a request of the server and reports whether it still wants the
// answer. The server has been waiting until now, so its own time begins anew.
func (c *Conversation) endAsked(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, wanted := c.asked[id]
	delete(c.asked, id)
	now := time.Now()
	for _, request := range c.pending {
		if !request.deadline.IsZero() {
			request.begin(now)
		}
	}
	return wanted
}

// cancelAsked ends a request that the server gives up.
func (c *Conversation) cancelAsked(params json.RawMessage) {
	id := string(jsonscan.Member(params, "requestId"))
	c.mu.Lock()
	cancel, ok := c.asked[id]
	delete(c.asked, id)
	c.mu.Unlock()
	if ok {
		cancel()
	}
}
