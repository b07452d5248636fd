package mcpserver

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/ports"
)

// Dynamic is what a server needs to show the tools of open toolboxes as tools of
// its own (tests/acceptance/CONTRACT.md section 8). A server without it does not.
type Dynamic struct {
	closer   ports.ToolboxCloser
	registry ports.ToolRegistry
	// pages and modernPages are tools/list in the two eras, as it was asked for last.
	pages, modernPages atomic.Pointer[wording.ToolPages]
}

// NewDynamic returns it over the use cases.
func NewDynamic(closer ports.ToolboxCloser, registry ports.ToolRegistry) *Dynamic {
	return &Dynamic{closer: closer, registry: registry}
}

// callRegistered answers a call of a tool that is registered, and one of a tool
// that is not there.
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

// orEmpty returns a raw object, an empty one for what is absent or null.
func orEmpty(arguments json.RawMessage) json.RawMessage {
	if len(arguments) > 0 && arguments[0] == '{' {
		return arguments
	}
	return json.RawMessage("{}")
}
