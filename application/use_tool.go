package application

import (
	"context"
	"errors"
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
	logins    *Logins          // nil when nobody is asked to log in
}

// NewToolUser returns the use case over the toolboxes that are in opened. It adds
// the resources that results point at to resources, and the tasks that servers make
// of calls to tasks. The checker may be nil. Logins, which may be nil too, has people log in
// at servers that need it.
func NewToolUser(
	catalog ports.Catalog, sessions *sessions.Sessions, opened *Opened, resources *ResourceOwners, tasks *TaskOwners,
	checker *ArgumentChecker, logins *Logins,
) *ToolUser {
	return &ToolUser{
		catalog: catalog, sessions: sessions, opened: opened, resources: resources, tasks: tasks, checker: checker, logins: logins,
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
		case live && u.call(ctx, connection, listed, call, u.replyOrAgain(ctx, server, tool, call, reply)):
			return
		}
	}
	go u.useLater(ctx, server, tool, kept(call), reply, true)
}

// useLater calls the tool once the server is up and its tools are known. The bytes of the
// call must last. If again is set, the call may be made again after a login.
func (u *ToolUser) useLater(
	ctx context.Context, server domain.Server, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply, again bool,
) {
	callReply := reply
	if again {
		callReply = u.replyOrAgain(ctx, server, tool, call, reply)
	}
	for logins, called := 0, false; !called; {
		connection, err := u.sessions.Connect(ctx, server)
		if logins < maxLogins && errors.Is(err, domain.ErrLoginRequired) {
			logins++
			if err = u.logins.awaitForUse(ctx, server, err); err == nil {
				continue
			}
		}
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
		called = u.call(ctx, connection, listed, call, callReply)
	}
}

// replyOrAgain returns the reply of a call that is made again, once, when the server did not
// carry it out for want of a login and somebody logged in meanwhile. Only where that
// may happen are the bytes of the call kept.
func (u *ToolUser) replyOrAgain(
	ctx context.Context, server domain.Server, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply,
) ports.Reply {
	if !u.logins.mayBeNeeded(server) {
		return reply
	}
	call = kept(call)
	return func(answer ports.Answer, err error) {
		if !errors.Is(err, domain.ErrLoginRequired) {
			reply(answer, err)
			return
		}
		go func() {
			if err := u.logins.awaitForUse(ctx, server, err); err != nil {
				reply(ports.Answer{}, err)
				return
			}
			u.useLater(ctx, server, tool, call, reply, false)
		}()
	}
}

// kept returns a call that lasts beyond the method that was handed it.
func kept(call ports.ToolCall) ports.ToolCall {
	call.FlushGroup = nil
	call.Arguments, call.ExtraParams, call.Meta = slices.Clone(call.Arguments), slices.Clone(call.ExtraParams), slices.Clone(call.Meta)
	return call
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
