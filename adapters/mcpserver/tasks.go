package mcpserver

import (
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
