package sessions

import (
	"context"
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Requests is what a session is used for beside calls of tools, which only
// Connection.CallTool makes: so no use case can forget that a call may need a yes.
type Requests interface {
	ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error)
	ListPrompts(ctx context.Context) (domain.PromptList, error)
	Request(ctx context.Context, request ports.Request, reply ports.Reply)
	Notify(notification ports.Message)
	SetLogLevel(level string)
	Declares(capability ...string) bool
	Close(ctx context.Context) error
}

// CallTool makes a call of a listed tool (ports.Session), between Enter and Leave. It
// reports false, and does nothing, when the call needs a yes that is not there: one for
// this tool, the definition that it has now, and these arguments. Nil is no yes. A call that
// is for tools that only read is not made of any other.
func (c *Connection) CallTool(
	ctx context.Context, listed domain.ToolInfo, yes *domain.Confirmation, call ports.ToolCall, reply ports.Reply,
) (made bool) {
	if c.NeedsYes(listed) && !c.isConfirmed(listed, yes, call.Arguments) {
		return false
	}
	if call.OnlyReads && c.tools.checkOnlyReads(listed) != nil {
		return false
	}
	c.session.CallTool(ctx, call, reply)
	return true
}

// isConfirmed reports whether a yes is for a call of the tool as it is listed now.
func (c *Connection) isConfirmed(listed domain.ToolInfo, yes *domain.Confirmation, arguments json.RawMessage) bool {
	return c.tools.current().has(listed) && yes.Covers(c.identifier(listed), listed.Definition, arguments)
}

// NeedsYes reports whether a call of a listed tool needs a yes of the person. A definition
// that is not the newest always does. Where the configuration confirms nothing of the server
// it costs nothing.
func (c *Connection) NeedsYes(listed domain.ToolInfo) bool {
	return c.Server.Approvals.AskBeforeCalls() && c.tools.needsYes(listed)
}

// Allow notes that the person allows every call of a listed tool, if that is its definition now.
// It ends when its definition changes, and when its list cannot be refreshed, so that nobody knows.
func (c *Connection) Allow(listed domain.ToolInfo) { c.tools.allow(listed) }

func (c *Connection) identifier(listed domain.ToolInfo) domain.ToolIdentifier {
	return domain.ToolIdentifier{Toolbox: c.Server.ID.Toolbox, Server: c.Server.ID.Server, Tool: listed.Name}
}
