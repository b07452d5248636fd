package ports

import (
	"context"
	"encoding/json"

	"mcp-workbench/domain"
)

// ToolboxOpener opens toolboxes.
type ToolboxOpener interface {
	// OpenToolbox connects to all servers of the toolbox that are not up, in
	// parallel, and returns what each offers. The context bounds the wait, not the
	// connecting: a server that is still starting when the wait ends, or when the
	// toolbox's reply is due, is in the answer with its failure and goes on
	// starting. The result is the caller's; the raw JSON in it must not be changed.
	// Safe for concurrent use: callers of one toolbox share every attempt.
	//
	// Failures: domain.ErrToolboxNotFound; domain.ErrAllServersFailed, with a
	// result that holds the reasons; domain.ErrShuttingDown; the context's.
	OpenToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error)
}

// ToolUser uses tools of opened toolboxes.
type ToolUser interface {
	// UseTool calls one tool of one server with arguments, a JSON object that is
	// passed on in its own bytes, and hands the server's answer to reply in its
	// own. It returns at once: whatever has to wait, waits elsewhere. Reply is
	// called exactly once, possibly before UseTool returns, on any goroutine; the
	// bytes of the result are valid until it returns, and while it does not, the
	// server's other answers wait. The arguments are needed until UseTool returns.
	//
	// The context bounds the call; when it ends the server is told. A server that
	// died since the toolbox was opened is started again first. A call that may
	// have reached a server is never repeated. Safe for concurrent use.
	//
	// Failures, the first that applies, none of them after the server was
	// contacted but the last three: domain.ErrToolboxNotFound,
	// domain.ErrToolboxNotOpen, domain.ErrServerNotFound, domain.ErrToolNotFound,
	// domain.ErrServerUnavailable, domain.ErrTimedOut, the context's.
	UseTool(ctx context.Context, tool domain.ToolIdentifier, arguments json.RawMessage, reply domain.Reply)
}

// InstructionsBuilder builds the text that a host shows to its model.
type InstructionsBuilder interface {
	// BuildInstructions returns the listing of toolboxes (CONTRACT.md section 3).
	// The same configuration gives the same bytes.
	BuildInstructions() string
}
