package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// serverRequest is a request of the server that waits for the host.
type serverRequest struct {
	cancel context.CancelFunc
	size   int64 // of its parameters in bytes
}

// codeTooMany is the error code for a request over the limit, the first that JSON-RPC leaves to
// programs.
const codeTooMany = -32000

// maxServerRequestID is the longest id, in bytes, of a request that is answered.
const maxServerRequestID = 4096

// handleServerRequest answers a ping, and passes any other request on to the host.
func (c *Conversation) handleServerRequest(message jsonrpc.Message) {
	if len(message.ID) > maxServerRequestID {
		c.log.Debug("ignored a request of the server with a long id", "method", message.Method, "bytes", len(message.ID))
		return
	}
	id := bytes.Clone(message.ID)
	if message.Method == mcp.MethodPing {
		c.sendAnswer(id, message.Method, jsonrpc.Result(id, json.RawMessage("{}")))
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var refusal error
	request := serverRequest{cancel: cancel, size: int64(len(message.Params))}
	c.updateInFlight(func(state *inFlight) { refusal = state.acceptRequest(string(id), request, c.messages.server.Limits) })
	if refusal != nil {
		cancel()
		code := mcp.INVALID_REQUEST
		if errors.Is(refusal, jsonrpc.ErrTooMany) {
			code = codeTooMany
		}
		c.sendAnswer(id, message.Method, jsonrpc.Error(id, code, refusal.Error()))
		return
	}
	method := message.Method
	m := c.messages
	m.host.Request(ctx, m.server.ID, ports.Message{Method: string(method), Params: message.Params}, func(answer ports.Answer, err error) {
		defer cancel()
		if !c.settleServerRequest(string(id)) {
			return // the server cancelled it, or is gone
		}
		unsupported, isUnsupported := errors.AsType[*ports.UnsupportedError](err)
		switch {
		case isUnsupported:
			c.sendAnswer(id, method, jsonrpc.Error(id, mcp.METHOD_NOT_FOUND, unsupported.Reason))
		case err != nil:
			c.sendAnswer(id, method, jsonrpc.Error(id, mcp.INTERNAL_ERROR, fmt.Sprintf("could not ask the host: %v", err)))
		case answer.Error != nil:
			c.sendAnswer(id, method, jsonrpc.RawError(id, answer.Error))
		default:
			c.sendAnswer(id, method, jsonrpc.Result(id, answer.Result))
		}
	})
}

// sendAnswer sends the answer to a request of the server.
func (c *Conversation) sendAnswer(id json.RawMessage, method mcp.MCPMethod, frame jsonrpc.Frame) {
	if err := c.sender.Answer(frame); err != nil {
		c.log.Debug("could not answer a request of the server", "method", method, "id", string(id), "error", err)
	}
}

// settleServerRequest removes a request of the server and reports whether the server still wants the
// answer. It restarts the limits on silence, since the server was waiting.
func (c *Conversation) settleServerRequest(id string) (wanted bool) {
	c.updateInFlight(func(state *inFlight) {
		_, wanted = state.settleRequest(id)
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
	id := string(rawjson.Member(params, "requestId"))
	var request serverRequest
	var waits bool
	c.updateInFlight(func(state *inFlight) { request, waits = state.settleRequest(id) })
	if waits {
		request.cancel()
	}
}
