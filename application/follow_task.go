package application

import (
	"context"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// TaskFollower is the use case of following tasks that servers made of calls.
type TaskFollower struct {
	sessions *Sessions
	tasks    *Tasks
}

// NewTaskFollower returns the use case over the tasks that calls made.
func NewTaskFollower(sessions *Sessions, tasks *Tasks) *TaskFollower {
	return &TaskFollower{sessions: sessions, tasks: tasks}
}

// RequestTask implements ports.TaskFollower. A task dies with its server, so none
// is started for it.
func (f *TaskFollower) RequestTask(ctx context.Context, task string, request ports.Message, reply ports.Reply) {
	id, known := f.tasks.server(task)
	connection, live := f.sessions.Known(id)
	if !known || !live {
		reply(ports.Answer{}, domain.ErrTaskNotFound)
		return
	}
	if !connection.idle.enter() {
		reply(ports.Answer{}, domain.ErrTaskNotFound)
		return
	}
	ends := request.Method == domain.MethodTasksResult || request.Method == domain.MethodTasksCancel
	connection.Session.Request(ctx, ports.Request{Message: request}, func(answer ports.Answer, err error) {
		if ends && err == nil {
			connection.idle.release(taskHold(task))
		}
		connection.idle.leave()
		reply(answer, err)
	})
}

// taskHold names what keeps a server from being idle that made a task.
func taskHold(task string) string { return "task " + task }
