package mcpserver

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
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
	// InFlight is how many requests of the host may be under way at once.
	InFlight int
	// InputReply is how long a host of 2026-07-28 may take to send the input that a
	// server asks for during a call.
	InputReply time.Duration
}

// Program is what the workbench shows to every host. It is made once in a process. Safe
// for concurrent use.
type Program struct {
	identity identity
	limits   Limits
	settings func() definitions.Settings
	log      *slog.Logger
	methods  map[string]method
	// list makes the listing of the configuration that is in force.
	list    func() *listing
	current atomic.Pointer[listing]
}

// NewProgram returns a program that introduces itself with version and shows the
// catalog's toolboxes, as much of their tools as the settings say.
func NewProgram(
	version Version, catalog ports.Catalog, settings func() definitions.Settings, limits Limits, log *slog.Logger,
) *Program {
	p := &Program{identity: identity{name: Name, version: string(version)}, limits: limits, settings: settings, log: log, methods: methods()}
	return p.Showing(catalog)
}

// Showing returns the same program over another catalog: the part that some hosts may see.
func (p *Program) Showing(catalog ports.Catalog) *Program {
	shown := &Program{identity: p.identity, limits: p.limits, settings: p.settings, log: p.log, methods: p.methods}
	shown.list = func() *listing {
		return newListing(catalog.Toolboxes(), catalog.Problems(), shown.settings())
	}
	shown.current.Store(shown.list())
	return shown
}

// UseCases are what one host can do. They share what that host opened.
type UseCases struct {
	Opener    ports.ToolboxOpener
	User      ports.ToolUser
	Resources ports.ResourceReader
	Prompts   ports.PromptReader
	Completer ports.Completer
	Tasks     ports.TaskFollower
	Announcer ports.Announcer
	Starter   ports.ServerStarter
	Shown     ports.ShownDefinitions
}

// Server answers one host. Use Serve once.
type Server struct {
	program       *Program
	useCases      UseCases
	dynamic       *Dynamic // nil when no tools are registered
	host          *host.Host
	subscriptions *host.ResourceSubscriptions
	openAnswers   *openAnswers
	states        *stateSeal
	// clientName is what the host called itself at the handshake.
	clientName atomic.Pointer[string]
	connected  sync.Once // the host is known, so servers may be started for it
}

// New returns a server for one host. Dynamic may be nil.
func New(program *Program, useCases UseCases, dynamic *Dynamic, h *host.Host) *Server {
	return &Server{
		program: program, useCases: useCases, dynamic: dynamic, host: h,
		subscriptions: host.NewResourceSubscriptions(useCases.Resources), openAnswers: newOpenAnswers(), states: newStateSeal(),
	}
}

// ownTools returns the definitions of the workbench's own tools, with commas between.
func (s *Server) ownTools() json.RawMessage {
	if s.dynamic != nil {
		return s.program.listing().ownDynamicTools()
	}
	return s.program.listing().ownTools()
}

// callTool answers tools/call.
func (s *Server) callTool(ctx context.Context, r *request, p params, reply replyFunc) {
	switch name := rawjson.Text(p.name); name {
	case wording.UseTool:
		s.useTool(ctx, r, p, reply)
	case wording.OpenToolbox:
		s.openToolbox(ctx, r, p, reply)
	case wording.ReadTool:
		s.readTool(ctx, r, p, reply)
	default:
		s.callOther(ctx, r, p, name, reply)
	}
}

// callOther answers a call of anything but open_toolbox, use_tool and a read_tool that exists.
func (s *Server) callOther(ctx context.Context, r *request, p params, name string, reply replyFunc) {
	switch {
	case s.dynamic == nil:
		reply(failure(jsonrpc.CodeInvalidParams, wording.UnknownTool(name, s.program.listing().definitions.ReadTool)))
	case name == wording.CloseToolbox:
		s.closeToolbox(ctx, r, p, reply)
	default:
		s.callRegistered(ctx, r, p, name, reply)
	}
}
