package application

import (
	"context"
	"errors"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// OpeningToolUser uses tools, and opens their toolboxes first when they are not open: for hosts that start the
// workbench for a single call, and for tools that are listed before their toolbox is open.
type OpeningToolUser struct {
	user   ports.ToolUser
	opener ports.ToolboxOpener
	always bool
}

// NewOpeningToolUser returns the use case over another one. With always, each use opens its toolbox, otherwise
// only calls with Opens do.
func NewOpeningToolUser(user ports.ToolUser, opener ports.ToolboxOpener, always bool) *OpeningToolUser {
	return &OpeningToolUser{user: user, opener: opener, always: always}
}

// UseTool implements ports.ToolUser. A call that was refused because its toolbox is not
// open reached no server, so it can be made again.
func (u *OpeningToolUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	if !u.always && !call.Opens {
		u.user.UseTool(ctx, tool, call, reply)
		return
	}
	repeated := kept(call) // the bytes are another message's by the time of a later refusal
	u.user.UseTool(ctx, tool, call, func(answer ports.Answer, err error) {
		if _, notOpen := errors.AsType[*domain.ToolboxNotOpenError](err); !notOpen {
			reply(answer, err)
			return
		}
		go u.openAndUse(ctx, tool, repeated, reply)
	})
}

func (u *OpeningToolUser) openAndUse(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	opened, err := u.opener.OpenToolbox(ctx, tool.Toolbox)
	if err != nil {
		reply(ports.Answer{}, whyNotUsable(tool, opened, err))
		return
	}
	if required := opened.LoginRequired(tool.ServerID()); required != nil {
		reply(ports.Answer{}, required) // the opening already prompted the user
		return
	}
	call.Unseen = true
	u.user.UseTool(ctx, tool, call, reply)
}

// whyNotUsable returns the failure of ports.ToolUser for a tool whose toolbox could not
// be opened.
func whyNotUsable(tool domain.ToolIdentifier, opened domain.OpenedToolbox, err error) error {
	if !errors.Is(err, domain.ErrAllServersFailed) {
		return err
	}
	for _, server := range opened.Servers {
		if server.ID == tool.ServerID() {
			return server.Failure
		}
	}
	return opened.Toolbox.ServerNotFound(tool.Server)
}
