package application

import (
	"context"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// TaskFollower is the use case of making requests about tasks that servers made of calls.
type TaskFollower struct {
	sessions  *sessions.Sessions
	ownership *sessions.Ownership
}

// noTasks is the gate for calls that ask for a task.
func noTasks(call gatedCall) error {
	if call.intent.AsTask && call.on != nil && !call.on.Session.Declares("tasks") {
		return domain.ErrNoTasks
	}
	return nil
}

// noteTask notes which server made a task of a call, and keeps the server up for it.
func noteTask(answer ports.Answer, on *sessions.Connection, ownership *sessions.Ownership) {
	if answer.Task != "" {
		ownership.AddTask(answer.Task, on.Server.ID)
		on.HoldTask(answer.Task)
	}
}

// NewTaskFollower returns the use case over the tasks that calls made.
func NewTaskFollower(sessions *sessions.Sessions, ownership *sessions.Ownership) *TaskFollower {
	return &TaskFollower{sessions: sessions, ownership: ownership}
}

// RequestTask implements ports.TaskFollower. A task dies with its server, so no
// server is started for one.
func (f *TaskFollower) RequestTask(ctx context.Context, task string, request ports.TaskRequest, reply ports.ServerReply) {
	id, known := f.ownership.Task(task)
	connection, live := f.sessions.Last(id)
	if !known || !live || !connection.Enter() {
		reply(id, ports.Answer{}, domain.ErrTaskNotFound)
		return
	}
	connection.Session.Request(ctx, ports.Request{Message: request.Message, Task: task}, func(answer ports.Answer, err error) {
		if request.Ends && err == nil {
			connection.ReleaseTask(task)
		}
		connection.Leave()
		reply(id, answer, err)
	})
}
