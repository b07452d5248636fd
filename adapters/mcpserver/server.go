package mcpserver

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Name is the name of the workbench for hosts and servers.
const Name = "mcp-workbench"

// Version is the version of the workbench.
type Version string

// Settings bound the resources that a host can use, and say what it is offered.
type Settings struct {
	// MessageSize is the size of the largest message of the host, in bytes.
	MessageSize int64
	// InFlight is the number of requests of the host that can be under way at once.
	InFlight int
	// InputReply is the longest time a host of 2026-07-28 can take to send the input that a server asks
	// for during a call.
	InputReply time.Duration
	// Skills says that skills of servers are passed on to hosts that declare the extension (SEP-2640).
	Skills bool
	// UsualPlaces is set if logins are looked for in the usual place of this system, although a variable that is not set
	// could name another one.
	UsualPlaces bool
}

// Program is the part of the workbench that hosts share. A process has one for all hosts, and one for each
// selection of toolboxes that only some hosts see. Safe for concurrent use.
type Program struct {
	// serverInfo describes the workbench completely. Lists begin with the members of cacheable, which describe it
	// without the parts that hosts show only once.
	serverInfo, cacheable json.RawMessage
	settings              Settings
	definitions           func() definitions.Settings
	log                   *slog.Logger
	list                  func() *listing // makes the listing of the current configuration
	current               atomic.Pointer[listing]
}

// NewProgram returns a program of that version. It shows the toolboxes of the instructions, and as much of their
// tools as the definitions allow.
func NewProgram(
	version Version, instructions ports.InstructionsBuilder, definitions func() definitions.Settings, settings Settings, log *slog.Logger,
) *Program {
	list := rawjson.MustMarshal(cacheable(describeShortly(version)))
	p := &Program{
		serverInfo: describe(version), cacheable: list[1 : len(list)-1], settings: settings, definitions: definitions, log: log,
	}
	return p.Showing(instructions)
}

// Showing returns the same program with other instructions, which have the toolboxes that some hosts may see.
func (p *Program) Showing(instructions ports.InstructionsBuilder) *Program {
	shown := &Program{serverInfo: p.serverInfo, cacheable: p.cacheable, settings: p.settings, definitions: p.definitions, log: p.log}
	shown.list = func() *listing {
		return newListing(instructions.BuildInstructions(), shown.definitions())
	}
	shown.current.Store(shown.list())
	return shown
}

// UseCases are what one host can do. They share the toolboxes that it opened.
type UseCases struct {
	Opener    ports.ToolboxOpener
	User      ports.ToolUser
	Resources ports.ResourceReader
	Prompts   ports.PromptReader
	Completer ports.Completer
	Tasks     ports.TaskFollower
	Results   ports.ResultKeeper
	Announcer ports.Announcer
	Starter   ports.ServerStarter
	Finder    ports.ToolFinder // nil without find_tool
	Speller   ports.ToolSpeller
	Shown     ports.ShownDefinitions
}

// Server answers one host. Use Serve once.
type Server struct {
	program       *Program
	useCases      UseCases
	registered    *Registered // nil if no tools are registered
	host          *host.Host
	subscriptions *host.ResourceSubscriptions
	openAnswers   openAnswers
	states        *stateSeal
	hostInfo      atomic.Pointer[hostInfo]
	connected     sync.Once // the host is known, so servers were started for it
}

// New returns a server for one host. Registered can be nil.
func New(program *Program, useCases UseCases, registered *Registered, h *host.Host) *Server {
	return &Server{
		program: program, useCases: useCases, registered: registered, host: h,
		subscriptions: host.NewResourceSubscriptions(useCases.Resources), states: newStateSeal(),
	}
}

// callTool answers tools/call.
func (s *Server) callTool(ctx context.Context, r *request, p params, reply replyFunc) {
	listing := s.program.listing()
	switch name := rawjson.Text(p.name); {
	case name == domain.ToolUseTool:
		s.useTool(ctx, r, p, false, reply)
	case name == domain.ToolOpenToolbox:
		s.openToolbox(ctx, r, p, reply)
	case name == domain.ToolReadTool && listing.definitions.ReadTool:
		s.useTool(ctx, r, p, true, reply)
	case name == domain.ToolReadResult && listing.fits:
		s.readResult(ctx, p, reply)
	case name == domain.ToolFindTool && s.useCases.Finder != nil:
		s.findTool(r, p, reply)
	case s.registered == nil:
		reply(failure(mcp.INVALID_PARAMS, wording.UnknownTool(name, s.moreTools()...)))
	case name == domain.ToolCloseToolbox && s.isDynamic():
		s.closeToolbox(ctx, r, p, reply)
	default:
		s.callRegistered(ctx, r, p, name, reply)
	}
}
