package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// useTool answers use_tool, and read_tool, which calls only tools that only read.
func (c *calls) useTool(ctx context.Context, r *request, p params, onlyReads bool, reply replyFunc) {
	given, problem := readUseTool(p.arguments, c.program.listing().fits)
	if problem != "" {
		reply(toolError(problem))
		return
	}
	given.tool = c.spelled(given.tool)
	given.OnlyReads, given.ForModel = onlyReads, c.rendersPages()
	c.use(ctx, r, p, given, reply)
}

// spelled returns a tool with its names as they are configured and listed, if only their normal form differs.
func (c *calls) spelled(tool domain.ToolIdentifier) domain.ToolIdentifier {
	if tool.IsASCII() {
		return tool
	}
	return c.speller.Spelled(tool)
}

// use makes a call of a tool, or continues one that waits for input of the host. A host with a handshake gets requests
// for input while the call waits.
func (c *calls) use(ctx context.Context, r *request, p params, given toolCall, whole replyFunc) {
	fit, problem := c.fitting(p, given)
	if problem != "" {
		whole(toolError(problem))
		return
	}
	reply := c.fittingReply(ctx, fit, whole)
	given.AsTask, given.Fitted = p.task != nil, fit != nil
	server := given.tool.ServerID()
	logLevel := c.host.WantLogs(ctx, r.connection(), server, p.meta.logLevel)
	c.accompany(ctx, r, server)
	if state := rawjson.Text(p.requestState); r.modern && host.IsOwnState(state) {
		c.continueUse(ctx, c.host.CallOf(server, state), given, p, host.Waiter{Progress: r.progress, Reply: reply})
		return
	}
	owner := given.stateOwner()
	_, state, ok := c.states.resume(p.continuation, owner)
	if !ok {
		reply(failure(mcp.INVALID_PARAMS, wording.ForeignState+wording.CallAgain))
		return
	}
	p.requestState = state
	call := ports.ToolCall{
		Arguments: given.arguments, Reading: ports.NewReading(given.arguments, p.clean && !given.ofText), ExtraParams: p.extra(), Meta: p.meta.forwarded(), LogLevel: logLevel,
		Intent: given.Intent, Progress: r.progress, FlushGroup: p.group,
	}
	if r.modern {
		c.useInRounds(ctx, owner, given.tool, call, reply)
		return
	}
	call.Confirmer = c.host
	if r.responder != nil {
		call.Confirmer = c.host.Through(r.responder)
	}
	call.Input = func(required json.RawMessage, done func(json.RawMessage, error)) {
		c.host.GatherInput(ctx, server, required, done)
	}
	tool := given.tool
	c.user.UseTool(ctx, tool, call, func(result ports.Answer, err error) {
		reply(toolAnswer(tool, result, err, false))
	})
}

// continueUse continues a call that waits for input of a host of 2026-07-28. The call is nil if it
// no longer exists.
func (c *calls) continueUse(ctx context.Context, call *host.Call, given toolCall, p params, waiter host.Waiter) {
	if call != nil && !call.IsContinuedBy(given.tool.Tool, given.arguments) {
		waiter.Reply(failure(mcp.INVALID_PARAMS, wording.OtherCall))
		return
	}
	if call == nil || !call.Continue(ctx, p.inputResponses, waiter) {
		waiter.Reply(failure(mcp.INVALID_PARAMS, wording.CallEnded))
	}
}

// useInRounds makes the call of a host of 2026-07-28, which can take several requests of the host.
func (c *calls) useInRounds(ctx context.Context, owner stateOwner, tool domain.ToolIdentifier, call ports.ToolCall, reply replyFunc) {
	rounds := c.host.BeginCall(ctx, tool.ServerID(), c.program.settings.InputReply, host.Waiter{Progress: call.Progress, Reply: reply})
	call.Confirmer = rounds
	if call.Progress != nil {
		call.Progress = rounds.Progress
	}
	c.user.UseTool(withReports(ctx, rounds), tool, call, func(result ports.Answer, err error) {
		rounds.Finish(c.states.seal(toolAnswer(tool, result, err, true), owner))
	})
}

// stateOwner returns the owner of the states of the call.
func (c toolCall) stateOwner() stateOwner {
	return stateOwner{method: mcp.MethodToolsCall, server: c.tool.ServerID(), name: c.tool.Tool, called: c.registered}
}

// toolAnswer returns the answer for the host to a call.
func toolAnswer(tool domain.ToolIdentifier, result ports.Answer, err error, modern bool) ports.Answer {
	switch {
	case errors.Is(err, domain.ErrNoTasks):
		return failure(mcp.METHOD_NOT_FOUND, wording.TasksUnsupported(tool))
	case err != nil:
		return toolError(wording.UseToolFailure(tool, err))
	case result.Error == nil && !modern: // such hosts do not read questions in results
		return result
	}
	result, err = host.Attributed(tool.ServerID(), result)
	switch {
	case err != nil:
		return toolError(wording.UseToolFailure(tool, err))
	case result.Error != nil:
		return ports.Answer{Error: hostError(result.Error)}
	}
	return result
}
