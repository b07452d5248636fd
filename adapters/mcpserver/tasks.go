package mcpserver

import (
	"bytes"
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// aboutTask answers a request about a task that a server created for a call.
func (c *calls) aboutTask(ctx context.Context, r *request, p params, reply replyFunc) {
	given := p.member("taskId")
	task := rawjson.Text(given)
	// Tasks have no states (io.modelcontextprotocol/tasks), so the host was not given one.
	if _, ok := c.states.open(p.requestState, stateOwner{method: r.method, name: task}); !ok {
		reply(failure(mcp.INVALID_PARAMS, wording.ForeignState+wording.RequestAgain))
		return
	}
	known := c.knownHost()
	request := ports.TaskRequest{
		Message: ports.Message{Method: string(r.method), Params: p.forServer("taskId", given)},
		Ends:    r.method == mcp.MethodTasksResult || r.method == mcp.MethodTasksCancel,
	}
	c.tasks.RequestTask(ctx, task, request, func(server domain.ServerID, result ports.Answer, err error) {
		switch {
		case errors.Is(err, domain.ErrTaskNotFound):
			reply(failure(mcp.INVALID_PARAMS, wording.TaskNotFound(task)))
		case err != nil:
			reply(failure(mcp.INTERNAL_ERROR, wording.TaskFailure(task, err)))
		default:
			c.answerTaskFitting(ctx, r, known, server, serverAnswer(server, result), reply)
		}
	})
}

// answerTaskFitting replies with the answer to a request about a task, in which it cuts the result of the tool
// to fit. tasks/result returns that result itself; tasks/get has it as a member once it exists.
func (c *calls) answerTaskFitting(
	ctx context.Context, r *request, known wording.Host, server domain.ServerID, answer ports.Answer, reply replyFunc,
) {
	var fit *ports.ResultRequest
	if answer.Error == nil && (r.method == mcp.MethodTasksResult || r.method == mcp.MethodTasksGet) {
		fit = c.resultRequest(known, domain.ToolIdentifier{Toolbox: server.Toolbox, Server: server.Server})
	}
	if fit == nil || len(answer.Result) <= fit.Limit.Bytes {
		reply(answer)
		return
	}
	if r.method == mcp.MethodTasksResult {
		c.fittingReply(ctx, fit, reply)(answer)
		return
	}
	const member = "result"
	result := rawjson.Member(answer.Result, member)
	if rawjson.Kind(result) != '{' {
		reply(answer)
		return
	}
	task := bytes.Clone(answer.Result)
	c.fittingReply(ctx, fit, func(shown ports.Answer) bool {
		return reply(ports.Answer{Result: rawjson.With(task, member, shown.Result)})
	})(ports.Answer{Result: result})
}
