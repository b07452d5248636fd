package mcpserver

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// calls answers the calls of a host: those of the workbench's own tools and of registered ones, and requests about their tasks.
type calls struct {
	*session
	opener      ports.ToolboxOpener
	user        ports.ToolUser
	speller     ports.ToolSpeller
	shown       ports.ShownDefinitions
	results     ports.ResultKeeper
	tasks       ports.TaskFollower
	finder      ports.ToolFinder // nil without find_tool
	openAnswers openAnswers
}

// callTool answers tools/call.
func (c *calls) callTool(ctx context.Context, r *request, p params, reply replyFunc) {
	listing := c.program.listing()
	switch name := rawjson.Text(p.name); {
	case name == domain.ToolUseTool:
		c.useTool(ctx, r, p, false, reply)
	case name == domain.ToolOpenToolbox:
		c.openToolbox(ctx, r, p, reply)
	case name == domain.ToolReadTool && listing.definitions.ReadTool:
		c.useTool(ctx, r, p, true, reply)
	case name == domain.ToolReadResult && listing.fits:
		c.readResult(ctx, p, reply)
	case name == domain.ToolFindTool && c.finder != nil:
		c.findTool(r, p, reply)
	case c.registered == nil:
		reply(failure(mcp.INVALID_PARAMS, wording.UnknownTool(name, c.moreTools()...)))
	case name == domain.ToolCloseToolbox && c.isDynamic():
		c.closeToolbox(ctx, r, p, reply)
	default:
		c.callRegistered(ctx, r, p, name, reply)
	}
}
