package mcpserver

import (
	"context"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Registered makes a server show tools of servers as tools of its own
// (tests/acceptance/CONTRACT.md sections 8 and 25): those of open toolboxes in dynamic mode, and those with a page
// to hosts that render pages.
type Registered struct {
	closer   ports.ToolboxCloser // nil unless the mode is dynamic
	registry ports.ToolRegistry
}

// NewRegistered returns a Registered over the use cases. Without a closer the mode is not dynamic.
func NewRegistered(closer ports.ToolboxCloser, registry ports.ToolRegistry) *Registered {
	return &Registered{closer: closer, registry: registry}
}

// isDynamic reports whether the tools of open toolboxes are registered.
func (s *session) isDynamic() bool { return s.registered != nil && s.registered.closer != nil }

// callRegistered answers a call of a registered tool, or of one that does not exist.
func (c *calls) callRegistered(ctx context.Context, r *request, p params, name string, reply replyFunc) {
	called, err := c.findRegistered(name, r.modern)
	unclear, isUnclear := errors.AsType[*domain.PageToolError](err)
	switch {
	case isUnclear:
		reply(toolError(wording.UnclearPage(unclear)))
	case err != nil && c.isDynamic():
		reply(failure(mcp.INVALID_PARAMS, wording.UnknownRegisteredTool(name)))
	case err != nil:
		reply(failure(mcp.INVALID_PARAMS, wording.UnknownTool(name, c.moreTools()...)))
	default:
		arguments := p.arguments.orOfText()
		if !arguments.isObject() {
			reply(toolError(invalidParameters + "arguments must be an object"))
			return
		}
		called.arguments, called.ofText = orEmpty(arguments.raw), rawjson.Kind(p.arguments.raw) == '"'
		c.use(ctx, r, p, called, reply)
	}
}

// findRegistered returns the call of a tool by a registered name or, for a host that renders pages, by the name that
// pages have for it. Failures: those of ports.ToolRegistry.
func (c *calls) findRegistered(name string, modern bool) (toolCall, error) {
	registry := c.registered.registry
	renders := registry.RendersPages()
	tool, found := registry.Registered().Find(name)
	if !found && renders && modern {
		registry.Refresh() // the host may have listed the tools of another process
		tool, found = registry.Registered().Find(name)
	}
	call := toolCall{tool: tool, registered: name, whole: renders, Intent: ports.Intent{Opens: renders && modern}}
	var err error
	switch {
	case found:
		if call.whole = renders && registry.Registered().HasPage(tool); call.whole {
			registry.ResultShown(tool.ServerID())
		}
	case renders:
		call.tool, call.NeedsYes, err = registry.FindForPage(name, c.host.CanConfirm())
	default:
		err = domain.ErrToolNotFound
	}
	return call, err
}
