package ports

import (
	"context"
	"encoding/json"

	"mcp-workbench/domain"
)

// Catalog is the configuration as the use cases see it. It never changes.
// Safe for concurrent use.
type Catalog interface {
	// Toolboxes returns all toolboxes in the order of the configuration. The
	// result must not be changed.
	Toolboxes() []domain.Toolbox
	// Toolbox returns the toolbox of that name.
	//
	// Failures: domain.ErrToolboxNotFound, with the names that exist.
	Toolbox(name domain.ToolboxName) (domain.Toolbox, error)
}

// Connector connects to servers of any kind.
type Connector interface {
	// Connect starts or reaches the server and shakes hands with it. The context
	// bounds the attempt only: the session lives until it is closed or lost. On
	// failure nothing is left running. Safe for concurrent use; two connects are
	// two sessions.
	//
	// Failures: domain.ErrServerUnavailable with a reason fit for a model; the
	// context's.
	Connect(ctx context.Context, server domain.Server) (Session, error)
}

// Transport connects to servers of one kind. It is what a contributor
// implements to let the workbench reach a new kind of server; every
// implementation passes the specs of tests/contract.
type Transport interface {
	Connector
	// Keys returns the names that a server's settings may hold.
	Keys() []string
	// Check inspects the settings without I/O and returns every
	// domain.SettingError in them, joined, or nil. Variables may be unexpanded.
	Check(settings json.RawMessage) error
}

// Session is a live connection to one server. Safe for concurrent use.
type Session interface {
	// ListTools returns every tool of the server, all pages, in the server's
	// order, each name once, with its definition in the server's bytes. What had to
	// be left out is in the list's warnings. A server without tools has an empty
	// list. The context bounds the listing.
	//
	// Failures: domain.ErrServerUnavailable; the context's.
	ListTools(ctx context.Context) (domain.ToolList, error)
	// CallTool calls a tool and hands the server's answer to reply in the server's
	// own bytes. It returns at once; reply is called exactly once, possibly before
	// that, on any goroutine. The bytes of the result are valid until reply returns,
	// and while it does not, the server's other answers wait. The arguments are
	// needed until CallTool returns. When the context ends or the call's limit runs
	// out, the server is told, a late answer is dropped and the session stays
	// usable. When the session is lost every pending call ends within a second.
	//
	// Failures: domain.ErrServerUnavailable; domain.ErrTimedOut; the context's.
	CallTool(ctx context.Context, call domain.ToolCall, reply domain.Reply)
	// Done is closed once the session is lost or closed: no later call can succeed.
	Done() <-chan struct{}
	// Close ends the session, releases every caller and leaves nothing running,
	// however the server behaves: it is asked first, then told, and killed when the
	// context ends. Safe to call at any time, more than once; it returns when
	// everything is gone. That a server had to be killed is no error.
	Close(ctx context.Context) error
}
