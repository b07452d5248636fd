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

// maxServerRequests is how many requests of one server may wait for the host at
// once.
const maxServerRequests = 64

// handleServerRequest has a request of the server answered: ping at once,
// everything else by the host.
func (c *Conversation) handleServerRequest(message jsonrpc.Message) {
	id := bytes.Clone(message.ID)
	if message.Method == domain.MethodPing {
		c.sendAnswer(id, message.Method, jsonrpc.Result(id, json.RawMessage("{}")))
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var refusal error
	c.updateInFlight(func(state *inFlight) { refusal = state.Accept(string(id), cancel, maxServerRequests) })
	if refusal != nil {
		cancel()
		c.sendAnswer(id, message.Method, jsonrpc.Error(id, jsonrpc.CodeInvalidRequest, refusal.Error()))
		return
	}
	method := message.Method
	c.messages.request(ctx, ports.Message{Method: method, Params: message.Params}, func(answer ports.Answer, err error) {
		defer cancel()
		if !c.settleServerRequest(string(id)) {
			return // the server cancelled it, or is gone
		}
		switch {
		case err != nil:
			c.sendAnswer(id, method, jsonrpc.Error(id, jsonrpc.CodeInternal, fmt.Sprintf("the host cannot be asked: %v", err)))
		case answer.Error != nil:
			c.sendAnswer(id, method, jsonrpc.RawError(id, answer.Error))
		default:
			c.sendAnswer(id, method, jsonrpc.Result(id, answer.Result))
		}
	})
}

// sendAnswer sends the server the answer to a request of its own.
func (c *Conversation) sendAnswer(id json.RawMessage, method string, frame jsonrpc.Frame) {
	if err := c.sender.Answer(frame); err != nil {
		c.log.Debug("could not answer a request of the server", "method", method, "id", string(id), "error", err)
	}
}

// settleServerRequest removes a request of the server and reports whether the server
// still wants the answer. The server was waiting until now, so the time for which it
// may be silent starts again.
func (c *Conversation) settleServerRequest(id string) (wanted bool) {
	c.updateInFlight(func(state *inFlight) {
		_, wanted = state.Settle(id)
		now := time.Now()
		for _, request := range state.AllOutgoing() {
			if !request.deadline.IsZero() {
				request.resetDeadline(now)
			}
		}
	})
	return wanted
}

// cancelServerRequest cancels a request that the server no longer wants answered.
func (c *Conversation) cancelServerRequest(params json.RawMessage) {
	id := string(jsonscan.Member(params, "requestId"))
	var cancel context.CancelFunc
	c.updateInFlight(func(state *inFlight) { cancel, _ = state.Settle(id) })
	if cancel != nil {
		cancel()
	}
}
