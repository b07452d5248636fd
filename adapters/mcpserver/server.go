package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/ports"
)

// Name is how the workbench introduces itself.
const Name = "mcp-workbench"

// Version is the version that the workbench introduces itself with.
type Version string

// Limits bound what a host may make grow.
type Limits struct {
	// MessageSize is the largest message of the host in bytes.
	MessageSize int64
	// InFlight is how many requests may be under way at once.
	InFlight int
	// Exchange is how long a host of 2026-07-28 may take to answer what a server
	// asks for during a call.
	Exchange time.Duration
}

// Server answers a host. Use Serve once.
type Server struct {
	identity     identity
	instructions string
	opener       ports.ToolboxOpener
	user         ports.ToolUser
	resources    ports.ResourceReader
	tasks        ports.TaskFollower
	announcer    ports.Announcer
	host         *Host
	limits       Limits
	log          *slog.Logger
	byName       map[mcp.MCPMethod]method
	// toolList and modernToolList are the results of tools/list in the two eras.
	toolList, modernToolList json.RawMessage
}

// New returns a server that introduces itself with version and shows the
// catalog's toolboxes.
func New(
	version Version, catalog ports.Catalog, instructions ports.InstructionsBuilder,
	opener ports.ToolboxOpener, user ports.ToolUser, resources ports.ResourceReader, tasks ports.TaskFollower,
	announcer ports.Announcer, host *Host, limits Limits, log *slog.Logger,
) *Server {
	s := &Server{
		identity:     identity{Name: Name, Version: string(version)},
		instructions: instructions.BuildInstructions(),
		opener:       opener, user: user, resources: resources, tasks: tasks, announcer: announcer, host: host, limits: limits, log: log,
	}
	s.byName = s.methods()
	tools := []tool{openToolboxTool(catalog.Toolboxes()), useToolTool()}
	s.toolList = mustMarshal(map[string]any{"tools": tools})
	s.modernToolList = mustMarshal(struct {
		cacheable
		Tools []tool `json:"tools"`
	}{s.cacheable(), tools})
	return s
}

// listTools answers tools/list: the same at all times, on one page.
func (s *Server) listTools(e *exchange, p params) answer {
	switch {
	case !jsonrpc.IsNull(p.cursor):
		return refusal(jsonrpc.CodeInvalidParams, "the cursor is not one of this list")
	case e.modern:
		return answer{result: s.modernToolList}
	}
	return answer{result: s.toolList}
}

// callTool answers tools/call.
func (s *Server) callTool(ctx context.Context, e *exchange, p params, reply func(answer)) {
	switch name := jsonrpc.Text(p.name); name {
	case useToolName:
		s.useTool(ctx, e, p, reply)
	case openToolboxName:
		s.openToolbox(ctx, e, p, reply)
	default:
		reply(refusal(jsonrpc.CodeInvalidParams, fmt.Sprintf(
			"Unknown tool: '%s'. The tools here are %s and %s; call a toolbox's tools through %s.",
			name, openToolboxName, useToolName, useToolName)))
	}
}
