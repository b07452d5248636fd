package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/adapters/mcpserver/present"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// useTool answers use_tool.
func (s *Server) useTool(ctx context.Context, e *exchange, p params, reply func(answer)) {
	given, problem := readUseTool(p.arguments)
	if problem != "" {
		reply(errorAnswer(problem))
		return
	}
	s.use(ctx, e, p, given, reply)
}

// use makes the call of a tool that the host asked for.
func (s *Server) use(ctx context.Context, e *exchange, p params, given toolCall, reply func(answer)) {
	tool, server := given.tool, given.tool.ServerID() // which is less to keep than all that is given
	logLevel := e.conversation.exchanges.concern(e, server, p.meta.logLevel)
	if state := jsonscan.Text(p.requestState); e.modern && isOwnState(state) {
		if held := s.host.heldBy(state); held != nil && held.server == server {
			held.resume(e, p, reply)
			return
		}
		reply(errorAnswer(present.CallEnded))
		return
	}
	call := ports.ToolCall{
		Arguments: given.arguments, ExtraParams: p.more(), Meta: p.meta.passedOn(), LogLevel: logLevel,
		AsTask: p.task != nil, FlushGroup: e.conversation.current,
	}
	if e.modern {
		s.useHeld(e, p, tool, call, reply)
		return
	}
	if !jsonscan.IsNull(p.meta.progressToken) {
		call.Progress = e.progress(p.meta.progressToken)
	}
	call.Input = func(wanted json.RawMessage, supply func(json.RawMessage, error)) {
		s.host.supply(ctx, server, wanted, supply)
	}
	s.user.UseTool(ctx, tool, call, func(result ports.Answer, err error) {
		reply(toolAnswer(tool, result, err, false))
	})
}

// useHeld makes the call of a host of 2026-07-28, which may be continued by
// another request.
func (s *Server) useHeld(e *exchange, p params, tool domain.ToolIdentifier, call ports.ToolCall, reply func(answer)) {
	held := s.host.hold(tool.ServerID(), s.limits.InputReply, e, p, reply)
	if !jsonscan.IsNull(p.meta.progressToken) {
		call.Progress = held.report
	}
	s.user.UseTool(&held.ctx, tool, call, func(result ports.Answer, err error) {
		held.finish(toolAnswer(tool, result, err, true))
	})
}

// toolAnswer returns what the host gets for the outcome of a call.
func toolAnswer(tool domain.ToolIdentifier, result ports.Answer, err error, modern bool) answer {
	switch {
	case errors.Is(err, domain.ErrNoTasks):
		return noTasks(tool)
	case err != nil:
		return errorAnswer(present.UseToolFailure(tool, err))
	case result.Error != nil:
		return relayError(result.Error, modern)
	}
	return answer{result: result.Result, group: result.FlushGroup}
}

// progress returns what passes the progress of a call on under the host's own raw
// token.
func (e *exchange) progress(token json.RawMessage) func(ports.Progress) {
	token = bytes.Clone(token)
	c := e.conversation
	return func(said ports.Progress) {
		e.speaking.Lock()
		defer e.speaking.Unlock()
		if !c.exchanges.isOpen(e) {
			return
		}
		params := make([]byte, 0, len(said.Before)+len(token)+len(said.After))
		params = append(append(append(params, said.Before...), token...), said.After...)
		c.pass(jsonrpc.Notification(domain.MethodNotificationProgress, params), said.FlushGroup)
	}
}

// relayError passes a server's error object on as it is, unless its code speaks
// of the hop between the workbench and the server: a host would take that for
// its own hop.
func relayError(object json.RawMessage, modern bool) answer {
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	// An object that does not even decode names no such code.
	_ = json.Unmarshal(object, &failure)
	hop := []int{mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION}
	if modern {
		hop = append(hop, mcp.URL_ELICITATION_REQUIRED)
	}
	if slices.Contains(hop, failure.Code) {
		return errorAnswer(failure.Message)
	}
	return answer{err: object}
}
