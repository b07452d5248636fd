package mcpserver

import (
	"context"
	"sync/atomic"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/ports"
)

// Dynamic makes a server show the tools of open toolboxes as tools of its own
// (tests/acceptance/CONTRACT.md section 8).
type Dynamic struct {
	closer   ports.ToolboxCloser
	registry ports.ToolRegistry
	// pages and modernPages are the last answers to tools/list in the two eras.
	pages, modernPages atomic.Pointer[wording.ToolPages]
}

// NewDynamic returns a Dynamic over the use cases.
func NewDynamic(closer ports.ToolboxCloser, registry ports.ToolRegistry) *Dynamic {
	return &Dynamic{closer: closer, registry: registry}
}

// callRegistered answers a call of a registered tool, or of one that does not exist.
func (s *Server) callRegistered(ctx context.Context, r *request, p params, name string, reply replyFunc) {
	tool, ok := s.dynamic.registry.Registered().Find(name)
	switch {
	case !ok:
		reply(failure(jsonrpc.CodeInvalidParams, wording.UnknownRegisteredTool(name)))
	case !p.arguments.isObject():
		reply(toolError(invalidParameters + "arguments must be an object"))
	default:
		s.use(ctx, r, p, toolCall{tool: tool, registered: name, arguments: orEmpty(p.arguments.raw)}, reply)
	}
}
