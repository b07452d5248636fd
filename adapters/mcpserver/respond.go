package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"mcp-workbench/adapters/jsonrpc"
)

// respond returns the messages that answer a request: the answer, behind what
// has to precede it. It always returns one, whatever happens.
func (s *Server) respond(ctx context.Context, e *exchange) (frames []jsonrpc.Frame) {
	defer func() {
		if problem := recover(); problem != nil {
			s.log.Error("a request failed", "method", e.method, "panic", problem, "stack", string(debug.Stack()))
			frames = []jsonrpc.Frame{jsonrpc.Error(e.id, jsonrpc.CodeInternal, "internal error")}
		}
	}()
	handed, err := e.handOver()
	if err != nil {
		return []jsonrpc.Frame{jsonrpc.Error(e.id, jsonrpc.CodeInvalidParams, err.Error())}
	}
	if e.method == string(mcp.MethodSubscriptionsListen) {
		return s.listen(ctx, e, handed)
	}
	response := s.mcp.HandleMessage(withExchange(ctx, e), handed)
	if e.answer.isSet() {
		return []jsonrpc.Frame{e.answer.frame(e.id, e.modern)}
	}
	return []jsonrpc.Frame{frameOf(e.id, response)}
}

// frameOf frames mcp-go's answer under the host's own id.
func frameOf(id json.RawMessage, response mcp.JSONRPCMessage) jsonrpc.Frame {
	switch response := response.(type) {
	case mcp.JSONRPCResponse:
		if result, err := json.Marshal(response.Result); err == nil {
			return jsonrpc.Result(id, result)
		}
	case mcp.JSONRPCError:
		if object, err := json.Marshal(response.Error); err == nil {
			return jsonrpc.RawError(id, object)
		}
	}
	return jsonrpc.Error(id, jsonrpc.CodeInternal, "internal error")
}

// reword leaves a better answer in the exchange where mcp-go's own text speaks
// of Go types, or leaves a model without a next step.
func reword(ctx context.Context, _ any, method mcp.MCPMethod, _ any, err error) {
	e := exchangeFrom(ctx)
	switch _, unparsable := errors.AsType[*server.UnparsableMessageError](err); {
	case unparsable:
		e.answer.err = errorObject(jsonrpc.CodeInvalidParams, fmt.Sprintf("the params do not fit %s", method))
	case errors.Is(err, server.ErrToolNotFound):
		e.answer.err = errorObject(jsonrpc.CodeInvalidParams, fmt.Sprintf(
			"Unknown tool: '%s'. The tools here are %s and %s; call a toolbox's tools through %s.",
			e.tool, openToolboxName, useToolName, useToolName))
	}
}
