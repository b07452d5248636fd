package application

import (
	"context"
	"errors"
	"slices"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/ports"
)

// ToolUser is the use case UseTool.
type ToolUser struct {
	gates     *Gates
	servers   *Servers
	resources *ResourceOwners
	ownership *sessions.Ownership
	observers *Observers
}

// NewToolUser returns the use case over the servers of a host. It adds the resources that results point at to resources,
// and the tasks that servers make of calls to ownership. The observers are told of each call.
func NewToolUser(gates *Gates, servers *Servers, resources *ResourceOwners, ownership *sessions.Ownership, observers *Observers) *ToolUser {
	return &ToolUser{gates: gates, servers: servers, resources: resources, ownership: ownership, observers: observers}
}

// toolUse is one call of a tool at its server. It is large, so it is passed by pointer. The
// pointer must not escape, so that a call that is made at once allocates nothing for it.
type toolUse struct {
	server *domain.Server
	tool   domain.ToolIdentifier
	call   ports.ToolCall
	pass   gatePass
	shown  *sessions.Shown // the tools that the host was shown while the server was not up, nil for none
	unseen bool            // whether the call opened the toolbox, so that it is open and the host was not shown its tools
	reply  ports.Reply
}

// UseTool implements ports.ToolUser.
func (u *ToolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	ctx, reply = u.observers.Call(ctx, tool, call, reply)
	u.use(ctx, &toolUse{tool: tool, call: call, reply: reply})
}

// use makes a call at once if its server is up and its tools are known, otherwise later on a goroutine.
func (u *ToolUser) use(ctx context.Context, use *toolUse) {
	var err error
	if use.server, err = u.gates.server(use); err != nil {
		u.refuse(ctx, use, err)
		return
	}
	connection, live := u.servers.Last(use.server.ID)
	if connection != nil {
		listed, stale, err := connection.Find(use.tool, suggestions(&use.call))
		if err == nil && !stale {
			err = u.gates.pass(use, connection, listed)
		}
		switch {
		case live && stale: // the tools are listed again first
		case live && errors.Is(err, domain.ErrToolNotFound) && connection.Doubt(use.tool.Tool):
		case err != nil:
			// A server whose tools are known is not called for a tool that it does not have,
			// nor with arguments that the tool does not accept.
			use.reply(ports.Answer{}, err)
			return
		case live && u.call(ctx, connection, listed.ToolInfo, use, u.servers.replyOrAgain(ctx, u, use)):
			return
		}
	} else if err := u.passKept(use); err != nil {
		use.reply(ports.Answer{}, err)
		return
	}
	if !live {
		use.shown = u.servers.ShownBefore(use.tool)
	}
	go u.useLater(ctx, use.clone(), true)
}

// refuse replies with why a call was not made. If its toolbox is not open, the call may open it and is then made.
func (u *ToolUser) refuse(ctx context.Context, use *toolUse, why error) {
	if u.gates.opensFor(use, why) {
		go u.openAndUse(ctx, use.clone())
		return
	}
	use.reply(ports.Answer{}, why)
}

// openAndUse makes a call once the toolbox of its tool is open. The bytes of the call must stay valid.
func (u *ToolUser) openAndUse(ctx context.Context, use toolUse) {
	use.unseen, use.shown = true, nil
	if err := u.gates.opener.openForCall(ctx, use.tool); err != nil {
		use.reply(ports.Answer{}, err)
		return
	}
	u.use(ctx, &use)
}

// passKept checks a call against the tools that were shown before its server was up, if a lock confirms them. Otherwise
// the server's own list decides.
func (u *ToolUser) passKept(use *toolUse) error {
	kept, isKept, err := u.servers.FindShown(use.tool, suggestions(&use.call))
	if err != nil || !isKept {
		return err
	}
	return u.gates.pass(use, nil, kept)
}

// useLater calls the tool once the server is up, its tools are known and the user has allowed
// the call, if it needs a yes. The bytes of the call must stay valid. With mayRepeat, a call
// that needs a login is made again after it.
func (u *ToolUser) useLater(ctx context.Context, use toolUse, mayRepeat bool) {
	for called := false; !called; {
		connection, err := u.servers.connect(ctx, &use)
		if err != nil {
			u.refuse(ctx, &use, err)
			return
		}
		connection.Refresh(ctx)
		listed, _, err := connection.Find(use.tool, suggestions(&use.call))
		if err == nil {
			err = u.gates.pass(&use, connection, listed)
		}
		var waited bool
		if err == nil {
			waited, err = u.gates.await(ctx, &use, connection, listed.ToolInfo)
		}
		switch {
		case err != nil:
			use.reply(ports.Answer{}, err)
			return
		case waited:
			continue
		}
		reply := use.reply
		if mayRepeat {
			reply = u.servers.replyOrAgain(ctx, u, &use)
		}
		called = u.call(ctx, connection, listed.ToolInfo, &use, reply)
	}
}

// clone returns a copy that stays valid after UseTool returns.
func (u *toolUse) clone() toolUse {
	use := *u
	call := &use.call
	call.FlushGroup, call.Reading = nil, ports.Reading{}
	call.Arguments, call.ExtraParams, call.Meta = slices.Clone(call.Arguments), slices.Clone(call.ExtraParams), slices.Clone(call.Meta)
	return use
}

// adjustedCall returns the call with the arguments to send to the server.
func adjustedCall(listed domain.ToolInfo, call ports.ToolCall) ports.ToolCall {
	if listed.Adjusted != nil {
		call.Arguments = arguments.Adjusted(listed, call.Arguments)
	}
	return call
}

// call calls a listed tool over a live connection and hands the outcome to reply. It does nothing
// and reports false if the server was just stopped as idle, or if the call needs a yes that it
// does not have.
func (u *ToolUser) call(ctx context.Context, on *sessions.Connection, listed domain.ToolInfo, use *toolUse, reply ports.Reply) bool {
	call := adjustedCall(listed, use.call)
	if !on.Enter() {
		return false
	}
	call.Name, call.SilenceLimit, call.TotalLimit = listed.Name, on.Server.Limits.Call, on.Server.Limits.CallTotal
	isCalled := on.CallTool(ctx, listed, use.pass.yes, call, func(answer ports.Answer, err error) {
		err = on.RecordOutcome(err)
		if answer.Resources != nil {
			u.resources.Add(on.Server.ID, answer.Resources)
		}
		noteTask(answer, on, u.ownership)
		on.Leave()
		reply(answer, err)
	})
	if !isCalled {
		on.Leave()
	}
	return isCalled
}
