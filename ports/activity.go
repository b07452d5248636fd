package ports

import (
	"context"

	"mcp-workbench/domain"
)

// ActivityObserver is told of everything that happens between one host and its servers, to record it,
// count it or show it.
type ActivityObserver interface {
	// Observe takes an activity that ended. It must not wait: it is called where answers are passed on.
	// It must not call what it observes. Safe for concurrent use.
	Observe(activity domain.Activity)
}

// CallObserver is told of each call of a tool and each opening of a toolbox by one host, from its beginning. Its methods
// must not wait. Safe for concurrent use.
type CallObserver interface {
	// Begin takes a call, or an opening as the call of a tool without server and name. It returns the context in which
	// it takes place.
	Begin(ctx context.Context, kind domain.ActivityKind, tool domain.ToolIdentifier, call ToolCall) context.Context
	// End takes how it ended, with that context. The answer is that of a call, whose bytes are valid until End returns.
	End(ctx context.Context, ended domain.Activity, answer Answer, err error)
}

// ToolsObserver is told which tools servers have.
type ToolsObserver interface {
	// ObserveTools takes the tools of a server that exist for the host, as the server listed them last. It
	// must not wait or keep the definitions. Safe for concurrent use.
	ObserveTools(server domain.ServerID, tools []domain.ToolInfo)
}
