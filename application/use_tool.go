package application

import (
	"context"
	"errors"
	"slices"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/ports"
)

// ToolUser is the use case UseTool.
type ToolUser struct {
	catalog   ports.Catalog
	sessions  *sessions.Sessions
	opened    *Opened
	resources *ResourceOwners
	ownership *sessions.Ownership
	confirms  *Confirmations
	checker   *ArgumentChecker // nil when no call is checked
	logins    *Logins          // nil without prompts for logins
	opener    *ToolboxOpener   // nil if no call opens a toolbox
	opens     OpensOnUse
	observers *Observers
}

// OpensOnUse says that each call opens the toolbox of its tool if it is not open: for hosts that start the workbench
// for a single call, and for tools that are listed before their toolbox is open. Otherwise only calls with Opens do.
type OpensOnUse bool

// NewToolUser returns the use case over the toolboxes that are in opened. It adds the
// resources that results point at to resources, and the tasks that servers make of calls to
// ownership. Confirms asks before calls that need a yes. The checker may be nil. Logins,
// which may also be nil, prompts for the logins that servers need. The opener opens the toolboxes of calls; it may be nil
// if no call does that. The observers are told of each call.
func NewToolUser(
	catalog ports.Catalog, sessions *sessions.Sessions, opened *Opened, resources *ResourceOwners, ownership *sessions.Ownership,
	confirms *Confirmations, checker *ArgumentChecker, logins *Logins, opener *ToolboxOpener, opens OpensOnUse, observers *Observers,
) *ToolUser {
	return &ToolUser{
		catalog: catalog, sessions: sessions, opened: opened, resources: resources, ownership: ownership, confirms: confirms,
		checker: checker, logins: logins, opener: opener, opens: opens, observers: observers,
	}
}

// toolUse is one call of a tool at its server. It is large, so it is passed by pointer. The
// pointer must not escape, so that a call that is made at once allocates nothing for it.
type toolUse struct {
	server *domain.Server
	tool   domain.ToolIdentifier
	call   ports.ToolCall
	yes    *domain.Confirmation // the user's yes, nil for none
	shown  *sessions.Shown      // the tools that the host was shown while the server was not up, nil for none
	opens  bool                 // whether the call may open the toolbox
	unseen bool                 // whether the call opened the toolbox, so that it is open and the host was not shown its tools
	reply  ports.Reply
}

// UseTool implements ports.ToolUser.
func (u *ToolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	ctx, reply = u.observers.Call(ctx, tool, call, reply)
	u.use(ctx, &toolUse{tool: tool, call: call, opens: u.opener != nil && (bool(u.opens) || call.Opens), reply: reply})
}

// use makes a call at once if its server is up and its tools are known, otherwise later on a goroutine.
func (u *ToolUser) use(ctx context.Context, use *toolUse) {
	var err error
	if use.server, err = u.server(use); err != nil {
		u.refuse(ctx, use, err)
		return
	}
	connection, live := u.sessions.Last(use.server.ID)
	if connection != nil {
		listed, stale, err := connection.Find(use.tool, use.call.ForModel)
		if err == nil && !stale {
			err = u.check(connection, listed, use)
		}
		switch {
		case live && stale: // the tools are listed again first
		case live && errors.Is(err, domain.ErrToolNotFound) && connection.Doubt(use.tool.Tool):
		case err != nil:
			// A server whose tools are known is not called for a tool that it does not have,
			// nor with arguments that the tool does not accept.
			use.reply(ports.Answer{}, err)
			return
		case live && u.call(ctx, connection, listed, use, u.replyOrAgain(ctx, use)):
			return
		}
	} else if err := u.checkKept(use.server.ID, use.tool, use.call); err != nil {
		use.reply(ports.Answer{}, err)
		return
	}
	if !live {
		use.shown = u.sessions.ShownBefore(use.tool)
	}
	go u.useLater(ctx, use.clone(), true)
}

// refuse replies with why a call was not made. If its toolbox is not open, the call may open it and is then made.
func (u *ToolUser) refuse(ctx context.Context, use *toolUse, why error) {
	if _, notOpen := errors.AsType[*domain.ToolboxNotOpenError](why); notOpen && use.opens {
		go u.openAndUse(ctx, use.clone())
		return
	}
	use.reply(ports.Answer{}, why)
}

// openAndUse makes a call once the toolbox of its tool is open. The bytes of the call must stay valid.
func (u *ToolUser) openAndUse(ctx context.Context, use toolUse) {
	use.opens, use.unseen, use.shown = false, true, nil
	if err := u.opener.openForCall(ctx, use.tool); err != nil {
		use.reply(ports.Answer{}, err)
		return
	}
	u.use(ctx, &use)
}

// checkKept checks a call against the tools that were shown before the server was up.
func (u *ToolUser) checkKept(server domain.ServerID, tool domain.ToolIdentifier, call ports.ToolCall) error {
	return u.sessions.CheckKept(tool, call.ForModel, func(shown domain.ToolInfo) error {
		return u.checker.check(server, shown, arguments.Settable(shown, call.Arguments))
	})
}

// useLater calls the tool once the server is up, its tools are known and the user has allowed
// the call, if it needs a yes. The bytes of the call must stay valid. With mayRepeat, a call
// that needs a login is made again after it.
func (u *ToolUser) useLater(ctx context.Context, use toolUse, mayRepeat bool) {
	for logins, called := 0, false; !called; {
		connection, err := u.connect(ctx, &use)
		if logins < maxLogins && errors.Is(err, domain.ErrLoginRequired) {
			logins++
			if err = u.logins.awaitForUse(ports.WithMeta(ctx, use.call.Meta), *use.server, err); err == nil {
				continue
			}
		}
		if err != nil {
			u.refuse(ctx, &use, err)
			return
		}
		connection.Refresh(ctx)
		listed, _, err := connection.Find(use.tool, use.call.ForModel)
		if err == nil {
			err = u.check(connection, listed, &use)
		}
		var waited bool
		if err == nil {
			use.yes, waited, err = u.confirms.await(ctx, connection, listed, use.tool, use.call, use.yes)
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
			reply = u.replyOrAgain(ctx, &use)
		}
		called = u.call(ctx, connection, listed, &use, reply)
	}
}

// check returns why a call of a listed tool is refused without contacting the server, nil if it is
// not.
func (u *ToolUser) check(on *sessions.Connection, listed domain.ToolInfo, use *toolUse) error {
	tool, call := use.tool, &use.call
	if call.ForModel && !extensions.ReadInterface(listed.Definition).ForModel {
		return &domain.ToolNotFoundError{Tool: tool, ForPages: true}
	}
	if call.OnlyReads {
		if err := on.CheckOnlyReads(tool, listed); err != nil {
			return err
		}
	}
	if err := on.CheckShown(tool, listed, use.shown, use.unseen); err != nil {
		u.checker.RecordShown(on.Server.ID, []domain.ToolInfo{listed})
		return err
	}
	if u.checker == nil {
		return nil
	}
	return u.checker.check(on.Server.ID, listed, arguments.Settable(listed, call.Arguments))
}

// replyOrAgain returns a reply that makes the call again, once, after a login if the server
// refuses it for lack of one. The bytes of the call are copied only if that can happen.
func (u *ToolUser) replyOrAgain(ctx context.Context, use *toolUse) ports.Reply {
	if !u.logins.mayBeNeeded(use.server) {
		return use.reply
	}
	return u.replyAfterLogin(ctx, use.clone())
}

// replyAfterLogin is a separate function so that calls to servers without logins allocate
// nothing for it.
func (u *ToolUser) replyAfterLogin(ctx context.Context, use toolUse) ports.Reply {
	return func(answer ports.Answer, err error) {
		if !errors.Is(err, domain.ErrLoginRequired) || !u.logins.logins.MayBeNeeded(*use.server) {
			use.reply(answer, err)
			return
		}
		go func() {
			if err := u.logins.awaitForUse(ports.WithMeta(ctx, use.call.Meta), *use.server, err); err != nil {
				use.reply(ports.Answer{}, err)
				return
			}
			u.useLater(ctx, use, false)
		}()
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

// connect returns the live connection to the server of a call.
func (u *ToolUser) connect(ctx context.Context, use *toolUse) (*sessions.Connection, error) {
	if use.call.Waits {
		return u.sessions.Connect(ctx, *use.server)
	}
	return u.sessions.ConnectInTime(ctx, *use.server)
}

// server returns the server of a tool, whose toolbox must be open.
func (u *ToolUser) server(use *toolUse) (*domain.Server, error) {
	tool := use.tool
	toolbox, err := u.catalog.Toolbox(tool.Toolbox)
	if err != nil {
		return nil, err
	}
	if !use.unseen && !u.opened.Contains(tool.Toolbox) {
		return nil, &domain.ToolboxNotOpenError{Toolbox: tool.Toolbox, IsFirst: u.opened.IsFirst()}
	}
	server := toolbox.Find(tool.Server)
	if server == nil {
		return nil, toolbox.ServerNotFound(tool.Server)
	}
	return server, nil
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
	if call.AsTask && !on.Session.Declares("tasks") {
		reply(ports.Answer{}, domain.ErrNoTasks)
		return true
	}
	if !on.Enter() {
		return false
	}
	call.Name, call.SilenceLimit, call.TotalLimit = listed.Name, on.Server.Limits.Call, on.Server.Limits.CallTotal
	isCalled := on.CallTool(ctx, listed, use.yes, call, func(answer ports.Answer, err error) {
		err = on.RecordOutcome(err)
		if answer.Resources != nil {
			u.resources.Add(on.Server.ID, answer.Resources)
		}
		if answer.Task != "" {
			u.ownership.AddTask(answer.Task, on.Server.ID)
			on.HoldTask(answer.Task)
		}
		on.Leave()
		reply(answer, err)
	})
	if !isCalled {
		on.Leave()
	}
	return isCalled
}
