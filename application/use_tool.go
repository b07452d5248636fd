package application

import (
	"context"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolUser is the use case UseTool.
type ToolUser struct {
	catalog  ports.Catalog
	sessions *Sessions
	opened   *Opened
	pointers *Pointers
	tasks    *Tasks
}

// NewToolUser returns the use case over toolboxes that opened knows as open. What
// results point at is noted in pointers, what tasks were made in tasks.
func NewToolUser(catalog ports.Catalog, sessions *Sessions, opened *Opened, pointers *Pointers, tasks *Tasks) *ToolUser {
	return &ToolUser{catalog: catalog, sessions: sessions, opened: opened, pointers: pointers, tasks: tasks}
}

// UseTool implements ports.ToolUser.
func (u *ToolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, made ports.ToolCall, reply ports.Reply) {
	server, err := u.server(tool)
	if err != nil {
		reply(ports.Answer{}, err)
		return
	}
	connection, live := u.sessions.Known(server.ID)
	stale := live && connection.stale()
	if connection != nil && !stale {
		// A server whose tools are known is not contacted for one that it does not have.
		if _, err := connection.find(tool); err != nil {
			reply(ports.Answer{}, err)
			return
		}
	}
	if live && !stale && u.call(ctx, connection, tool, made, reply) {
		return
	}
	made.FlushGroup = nil // it is for use until this method returns
	made.Arguments, made.ExtraParams, made.Meta = slices.Clone(made.Arguments), slices.Clone(made.ExtraParams), slices.Clone(made.Meta)
	go u.useLater(ctx, server, tool, made, reply)
}

// useLater calls the tool once the server is up and its tools are known.
func (u *ToolUser) useLater(
	ctx context.Context, server domain.Server, tool domain.ToolIdentifier, made ports.ToolCall, reply ports.Reply,
) {
	for called := false; !called; {
		connection, err := u.sessions.Connection(ctx, server)
		if err != nil {
			reply(ports.Answer{}, err)
			return
		}
		connection.Refresh(ctx)
		called = u.call(ctx, connection, tool, made, reply)
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
		return domain.Server{}, &domain.ServerNotFoundError{ID: tool.ServerID(), Available: toolbox.ServerNames()}
	}
	return server, nil
}

// call calls the tool over a live connection. It reports false, and has done
// nothing, when the server was just stopped since nobody used it.
func (u *ToolUser) call(
	ctx context.Context, on *Connection, tool domain.ToolIdentifier, made ports.ToolCall, reply ports.Reply,
) bool {
	listed, err := on.find(tool)
	if err != nil {
		reply(ports.Answer{}, err)
		return true
	}
	if made.AsTask && !on.Session.Declares("tasks") {
		reply(ports.Answer{}, domain.ErrNoTasks)
		return true
	}
	if !on.idle.enter() {
		return false
	}
	made.Name, made.SilenceLimit, made.TotalLimit = listed.Name, on.server.Limits.Call, on.server.Limits.CallTotal
	on.Session.CallTool(ctx, made, func(answer ports.Answer, err error) {
		on.heard(err)
		err = on.closedWith(err)
		if answer.Resources != nil {
			u.pointers.add(on.server.ID, answer.Resources)
		}
		if answer.Task != "" {
			u.tasks.add(on.server.ID, []string{answer.Task})
			on.idle.hold(taskHold(answer.Task))
		}
		on.idle.leave()
		reply(answer, err)
	})
	return true
}
