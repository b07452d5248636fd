package application

import (
	"context"
	"slices"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolUser is the use case UseTool.
type ToolUser struct {
	catalog   ports.Catalog
	sessions  *sessions.Sessions
	opened    *Opened
	resources *ResourceOwners
	tasks     *TaskOwners
	checker   *ArgumentChecker // nil when no call is checked
}

// NewToolUser returns the use case over the toolboxes that are in opened. It adds
// the resources that results point at to resources, and the tasks that servers make
// of calls to tasks. The checker may be nil.
func NewToolUser(
	catalog ports.Catalog, sessions *sessions.Sessions, opened *Opened, resources *ResourceOwners, tasks *TaskOwners,
	checker *ArgumentChecker,
) *ToolUser {
	return &ToolUser{
		catalog: catalog, sessions: sessions, opened: opened, resources: resources, tasks: tasks, checker: checker,
	}
}

// UseTool implements ports.ToolUser.
func (u *ToolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	server, err := u.server(tool)
	if err != nil {
		reply(ports.Answer{}, err)
		return
	}
	connection, live := u.sessions.Last(server.ID)
	if connection != nil {
		listed, stale, err := connection.Find(tool)
		if err == nil && u.checker != nil && !stale {
			err = u.checker.check(server.ID, listed, call.Arguments)
		}
		switch {
		case live && stale: // what was listed does not count any more
		case err != nil:
			// A server whose tools are known is not contacted for one that it does not have,
			// nor with arguments that the tool does not take.
			reply(ports.Answer{}, err)
			return
		case live && u.call(ctx, connection, listed, call, reply):
			return
		}
	}
	call.FlushGroup = nil // it may be used until this method returns
	call.Arguments, call.ExtraParams, call.Meta = slices.Clone(call.Arguments), slices.Clone(call.ExtraParams), slices.Clone(call.Meta)
	go u.useLater(ctx, server, tool, call, reply)
}

// useLater calls the tool once the server is up and its tools are known.
func (u *ToolUser) useLater(
	ctx context.Context, server domain.Server, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply,
) {
	for called := false; !called; {
		connection, err := u.sessions.Connect(ctx, server)
		if err != nil {
			reply(ports.Answer{}, err)
			return
		}
		connection.Refresh(ctx)
		listed, _, err := connection.Find(tool)
		if err == nil && u.checker != nil {
			err = u.checker.check(server.ID, listed, call.Arguments)
		}
		if err != nil {
			reply(ports.Answer{}, err)
			return
		}
		called = u.call(ctx, connection, listed, call, reply)
	}
}

// server finds the server that a tool names, in a toolbox that is open.
func (u *ToolUser) server(tool domain.ToolIdentifier) (domain.Server, error) {
	toolbox, err := u.catalog.Toolbox(tool.Toolbox)
	if err != nil {
		return domain.Server{}, err
	}
	if !u.opened.Contains(tool.Toolbox) {
		return domain.Server{}, &domain.ToolboxNotOpenError{Toolbox: tool.Toolbox}
	}
	server, ok := toolbox.Server(tool.Server)
	if !ok {
		return domain.Server{}, toolbox.ServerNotFound(tool.Server)
	}
	return server, nil
}

// call calls a listed tool over a live connection. It reports false, and has done
// nothing, when the server was just stopped because nobody used it.
func (u *ToolUser) call(
	ctx context.Context, on *sessions.Connection, listed domain.ToolInfo, call ports.ToolCall, reply ports.Reply,
) bool {
	if call.AsTask && !on.Session.Declares("tasks") {
		reply(ports.Answer{}, domain.ErrNoTasks)
		return true
	}
	if !on.Enter() {
		return false
	}
	call.Name, call.SilenceLimit, call.TotalLimit = listed.Name, on.Server.Limits.Call, on.Server.Limits.CallTotal
	on.Session.CallTool(ctx, call, func(answer ports.Answer, err error) {
		err = on.RecordOutcome(err)
		if answer.Resources != nil {
			u.resources.add(on.Server.ID, answer.Resources)
		}
		if answer.Task != "" {
			u.tasks.add(on.Server.ID, []string{answer.Task})
			on.Hold(taskHold(answer.Task))
		}
		on.Leave()
		reply(answer, err)
	})
	return true
}
