package mcpserver

import (
	"context"
	"log/slog"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"mcp-workbench/ports"
)

// Name is how the workbench introduces itself.
const Name = "mcp-workbench"

// Server answers a host. Use Serve once.
type Server struct {
	mcp    *server.MCPServer
	opener ports.ToolboxOpener
	user   ports.ToolUser
	limits Limits
	log    *slog.Logger
}

// Limits bound what a host may make grow.
type Limits struct {
	// MessageSize is the largest message of the host in bytes.
	MessageSize int64
	// InFlight is how many requests may be under way at once.
	InFlight int
}

// Version is the version that the workbench introduces itself with.
type Version string

// New returns a server that introduces itself with version and shows the
// catalog's toolboxes.
func New(
	version Version, catalog ports.Catalog, instructions ports.InstructionsBuilder,
	opener ports.ToolboxOpener, user ports.ToolUser, limits Limits, log *slog.Logger,
) *Server {
	s := &Server{opener: opener, user: user, limits: limits, log: log}
	hooks := &server.Hooks{}
	hooks.AddOnError(reword)
	s.mcp = server.NewMCPServer(Name, string(version),
		server.WithInstructions(instructions.BuildInstructions()),
		server.WithToolCapabilities(false),
		server.WithHooks(hooks),
	)
	s.mcp.AddTool(openToolboxTool(catalog.Toolboxes()), s.handle(s.openToolbox))
	s.mcp.AddTool(useToolTool(), s.handle(s.useTool))
	return s
}

// handle makes a handler of a tool whose answer is left, in its own bytes, in
// the exchange that the context carries: mcp-go's typed result loses members and
// bytes (research in ARCHITECTURE.md, "The data path").
func (s *Server) handle(tool func(context.Context, *exchange) answer) server.ToolHandlerFunc {
	return func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		exchange := exchangeFrom(ctx)
		exchange.modern = server.IsModernRequest(ctx)
		exchange.answer = tool(ctx, exchange)
		return &mcp.CallToolResult{}, nil
	}
}
