package mcpserver

import (
	"context"
	"errors"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/adapters/mcpserver/present"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// aboutTask answers a request about a task that a server made of a call: its
// state, its result, its end.
func (s *Server) aboutTask(ctx context.Context, e *exchange, p params, reply func(answer)) {
	task := jsonscan.Text(p.taskID)
	message := ports.Message{Method: e.method, Params: p.forServer("taskId", p.taskID)}
	s.tasks.RequestTask(ctx, task, message, func(result ports.Answer, err error) {
		switch {
		case errors.Is(err, domain.ErrTaskNotFound):
			reply(refusal(jsonrpc.CodeInvalidParams, present.TaskNotFound(task)))
		case err != nil:
			reply(refusal(jsonrpc.CodeInternal, present.TaskFailure(task, err)))
		case result.Error != nil:
			reply(answer{err: result.Error})
		default:
			reply(answer{result: result.Result})
		}
	})
}

// noTasks is the answer to a call that is to become a task of a server that knows
// none.
func noTasks(tool domain.ToolIdentifier) answer {
	return refusal(jsonrpc.CodeMethodNotFound, present.TasksUnsupported(tool))
}
