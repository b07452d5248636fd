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
func (s *Server) aboutTask(ctx context.Context, r *request, p params, reply replyFunc) {
	task := jsonscan.Text(p.taskID)
	// Tasks have no states of their own (io.modelcontextprotocol/tasks), so none was given.
	if _, ok := s.states.open(p.requestState, stateOwner{method: r.method, name: task}); !ok {
		reply(failure(jsonrpc.CodeInvalidParams, present.ForeignState+present.RequestAgain))
		return
	}
	message := ports.Message{Method: r.method, Params: p.forServer("taskId", p.taskID)}
	s.useCases.Tasks.RequestTask(ctx, task, message, func(server domain.ServerID, result ports.Answer, err error) {
		switch {
		case errors.Is(err, domain.ErrTaskNotFound):
			reply(failure(jsonrpc.CodeInvalidParams, present.TaskNotFound(task)))
		case err != nil:
			reply(failure(jsonrpc.CodeInternal, present.TaskFailure(task, err)))
		default:
			reply(serverAnswer(server, result, r.modern))
		}
	})
}
