package sessions

import (
	"context"
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// CallTool makes a call of a listed tool (ports.Session), between Enter and Leave. It does
// nothing and reports false when the call needs a yes for this tool, its present definition and
// these arguments, and does not have it. A nil yes never counts. With OnlyReads, only tools that
// only read are called.
func (c *Connection) CallTool(
	ctx context.Context, listed domain.ToolInfo, yes *domain.Confirmation, call ports.ToolCall, reply ports.Reply,
) (isCalled bool) {
	if c.CallNeedsYes(listed, call.NeedsYes) && !c.isConfirmed(listed, yes, call.Arguments) {
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

// NeedsYes reports whether a call of a listed tool needs approval of the user. On a server some of
// whose calls need it, a call by a definition that is not the newest always does. It is cheap for
// a server whose calls need no yes.
func (c *Connection) NeedsYes(listed domain.ToolInfo) bool { return c.CallNeedsYes(listed, false) }

// CallNeedsYes is NeedsYes for one call. With always the call needs approval whatever the
// configuration says, unless the user allowed the tool for the session.
func (c *Connection) CallNeedsYes(listed domain.ToolInfo, always bool) bool {
	return (always || c.Server.Approvals.AskBeforeCalls()) && c.tools.needsYes(listed, always)
}

// Allow notes that the user allows every call of a listed tool, if its definition is still the
// same. The permission ends when the definition changes, or when the list cannot be refreshed,
// so that the definition may have changed.
func (c *Connection) Allow(listed domain.ToolInfo) { c.tools.allow(listed) }

func (c *Connection) identifier(listed domain.ToolInfo) domain.ToolIdentifier {
	return domain.ToolIdentifier{Toolbox: c.Server.ID.Toolbox, Server: c.Server.ID.Server, Tool: listed.Name}
}

// OnlyReading returns the exact names of those of the given listed tools of a server that may be called as tools that
// only read, and whether all of them may.
func (s *Sessions) OnlyReading(id domain.ServerID, tools []domain.ToolInfo) (names map[string]bool, every bool) {
	list := s.known.list(id)
	if list == nil {
		return nil, false
	}
	return list.onlyReading(tools)
}

// CheckOnlyReads returns nil for a listed tool that needs no yes and only reads, according
// to the configuration or to a definition that is current and locked. A tool that needs a
// yes fails even after a yes was given. Failures: domain.ErrNotReadOnly.
func (c *Connection) CheckOnlyReads(tool domain.ToolIdentifier, listed domain.ToolInfo) error {
	if refused := c.tools.checkOnlyReads(listed); refused != nil {
		refused.Tool = tool
		return refused
	}
	return nil
}
