package application

import (
	"context"
	"encoding/json"
	"errors"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/ports"
)

// Gates are all rules about calls, in the order in which they refuse them: the toolbox exists and is open, the server
// exists, the rules of the list in NewGates, and the yes of the user if the call needs one. They belong to one host. Safe
// for concurrent use.
type Gates struct {
	catalog  ports.Catalog
	opened   *Opened
	opener   *ToolboxOpener // nil if no call opens a toolbox
	opens    OpensOnUse
	rules    []gate
	confirms *Confirmations
}

// OpensOnUse says that each call opens the toolbox of its tool if it is not open: for hosts that start the workbench
// for a single call, and for tools that are listed before their toolbox is open. Otherwise only calls with Opens do.
type OpensOnUse bool

// NewGates returns the gates of a host with these open toolboxes. The opener opens those of calls; it may be nil if no
// call does that. The checker may be nil.
func NewGates(
	catalog ports.Catalog, opened *Opened, opener *ToolboxOpener, opens OpensOnUse, checker *ArgumentChecker, confirms *Confirmations,
) *Gates {
	return &Gates{
		catalog: catalog, opened: opened, opener: opener, opens: opens, confirms: confirms,
		rules: []gate{
			{ofTool: true, refusal: notForModel},
			{ofTool: true, refusal: notReadOnly},
			{ofTool: true, refusal: checker.notAsShown},
			{ofTool: true, refusal: checker.invalid},
			{ofTool: true, refusal: noTasks},
		},
	}
}

// gate is a rule about calls of listed tools.
type gate struct {
	// refusal returns why a call is refused, nil if it is not. It contacts no server and does not wait.
	refusal func(gatedCall) error
	// ofTool says that the refusal depends on the listing of the tool, so that it is asked for again if the server listed
	// its tools meanwhile. Otherwise it is asked for once for each call.
	ofTool bool
}

// gatePass holds what the gates that a call passed leave to it.
type gatePass struct {
	listing sessions.Listing     // the last one under which it passed, the zero value for none
	yes     *domain.Confirmation // the user's yes, nil for none
}

// gatedCall is a call as gates see it. It is passed by value, so that a call that is made at once allocates nothing.
type gatedCall struct {
	server    *domain.Server
	on        *sessions.Connection // nil for a server that was not up yet
	called    domain.ToolIdentifier
	listed    domain.ToolInfo
	intent    ports.Intent
	arguments json.RawMessage
	shown     *sessions.Shown // see toolUse
	unseen    bool
}

// server returns the server of a call, whose toolbox must be open.
func (g *Gates) server(use *toolUse) (*domain.Server, error) {
	name := use.tool.Toolbox
	toolbox, err := g.catalog.Toolbox(name)
	if err != nil {
		return nil, err
	}
	if !use.unseen && !g.opened.Contains(name) {
		return nil, &domain.ToolboxNotOpenError{Toolbox: name, IsFirst: g.opened.IsFirst()}
	}
	server := toolbox.Find(use.tool.Server)
	if server == nil {
		return nil, toolbox.ServerNotFound(use.tool.Server)
	}
	return server, nil
}

// opensFor reports whether a call may open its toolbox since it was refused for that reason.
func (g *Gates) opensFor(use *toolUse, why error) bool {
	if use.unseen || g.opener == nil || !bool(g.opens) && !use.call.Opens {
		return false
	}
	_, isNotOpen := errors.AsType[*domain.ToolboxNotOpenError](why)
	return isNotOpen
}

// pass returns why a call of a listed tool is refused, nil if it is not. The connection is nil for a server that was not
// up when it was listed. A call that passed is not checked again under the same listing.
func (g *Gates) pass(use *toolUse, on *sessions.Connection, listed sessions.ListedTool) error {
	if use.pass.listing == listed.Listing {
		return nil
	}
	call := gatedCall{
		server: use.server, on: on, called: use.tool, listed: listed.ToolInfo, intent: use.call.Intent, arguments: use.call.Arguments,
		shown: use.shown, unseen: use.unseen,
	}
	isFirst := use.pass.listing == sessions.Listing{}
	for _, gate := range g.rules {
		if !isFirst && !gate.ofTool {
			continue
		}
		if err := gate.refusal(call); err != nil {
			return err
		}
	}
	use.pass.listing = listed.Listing
	return nil
}

// await asks the user about a call that needs a yes and does not have it. If waited is set, the server or its tools may
// have changed in the meantime.
func (g *Gates) await(ctx context.Context, use *toolUse, on *sessions.Connection, listed domain.ToolInfo) (waited bool, err error) {
	use.pass.yes, waited, err = g.confirms.await(ctx, on, listed, use.tool, use.call, use.pass.yes)
	return waited, err
}

// suggestions returns the tools of a list that a refused call may be told of, nil for all.
func suggestions(call *ports.ToolCall) func([]domain.ToolInfo) []domain.ToolInfo {
	if call.ForModel {
		return extensions.ToolsForModel
	}
	return nil
}

func notForModel(call gatedCall) error {
	if call.intent.ForModel && !extensions.ReadInterface(call.listed.Definition).ForModel {
		return &domain.ToolNotFoundError{Tool: call.called, ForPages: true}
	}
	return nil
}

// notReadOnly leaves calls of servers that were not up yet to the servers' own lists.
func notReadOnly(call gatedCall) error {
	if !call.intent.OnlyReads || call.on == nil {
		return nil
	}
	return call.on.CheckOnlyReads(call.called, call.listed)
}

func (c *ArgumentChecker) notAsShown(call gatedCall) error {
	if call.on == nil {
		return nil
	}
	err := call.on.CheckShown(call.called, call.listed, call.shown, call.unseen)
	if err != nil {
		c.RecordShown(call.server.ID, []domain.ToolInfo{call.listed})
	}
	return err
}

func (c *ArgumentChecker) invalid(call gatedCall) error {
	if c == nil {
		return nil
	}
	return c.check(call.server.ID, call.listed, arguments.Settable(call.listed, call.arguments))
}
