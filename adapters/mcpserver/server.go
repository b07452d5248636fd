package mcpserver

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/adapters/mcpserver/present"
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
	// InputReply is how long a host of 2026-07-28 may take to answer what a server
	// asks for during a call.
	InputReply time.Duration
}

// Server answers a host. Use Serve once.
type Server struct {
	identity identity
	// instructions returns the instructions for the host with a name in its
	// clientInfo.
	instructions func(clientName string) string
	opener       ports.ToolboxOpener
	user         ports.ToolUser
	resources    ports.ResourceReader
	interests    *interests
	tasks        ports.TaskFollower
	announcer    ports.Announcer
	dynamic      *Dynamic // nil when no tools are registered
	host         *Host
	limits       Limits
	log          *slog.Logger
	byName       map[mcp.MCPMethod]method
	// ownTools returns the definitions of the workbench's own tools, with commas
	// between. The first host that lists them waits for them, no start does.
	ownTools func() json.RawMessage
}

// New returns a server that introduces itself with version and shows the
// catalog's toolboxes. Dynamic may be nil.
func New(
	version Version, catalog ports.Catalog, instructions ports.InstructionsBuilder,
	opener ports.ToolboxOpener, user ports.ToolUser, resources ports.ResourceReader, tasks ports.TaskFollower,
	announcer ports.Announcer, dynamic *Dynamic, host *Host, limits Limits, log *slog.Logger,
) *Server {
	listing := instructions.BuildInstructions()
	s := &Server{
		identity: identity{name: Name, version: string(version)},
		instructions: func(clientName string) string {
			return present.Instructions(present.HostNamed(clientName), listing, catalog.Toolboxes())
		},
		opener: opener, user: user, resources: resources, interests: newInterests(resources), tasks: tasks, announcer: announcer,
		dynamic: dynamic, host: host, limits: limits, log: log,
	}
	s.byName = s.methods()
	s.ownTools = sync.OnceValue(func() json.RawMessage {
		return present.OwnTools(catalog.Toolboxes(), dynamic != nil)
	})
	return s
}

// callTool answers tools/call.
func (s *Server) callTool(ctx context.Context, e *exchange, p params, reply func(answer)) {
	switch name := jsonscan.Text(p.name); name {
	case present.UseTool:
		s.useTool(ctx, e, p, reply)
	case present.OpenToolbox:
		s.openToolbox(ctx, e, p, reply)
	default:
		s.callOther(ctx, e, p, name, reply)
	}
}

// callOther answers a call of what is not one of the two tools.
func (s *Server) callOther(ctx context.Context, e *exchange, p params, name string, reply func(answer)) {
	switch {
	case s.dynamic == nil:
		reply(unknownTool(present.UnknownTool(name)))
	case name == present.CloseToolbox:
		s.closeToolbox(ctx, e, p, reply)
	default:
		s.callRegistered(ctx, e, p, name, reply)
	}
}

func unknownTool(message string) answer { return refusal(jsonrpc.CodeInvalidParams, message) }
