package ports

import "mcp-workbench/domain"

// ActivityObserver is told of everything that happens between one host and its servers, to record it,
// count it or show it.
type ActivityObserver interface {
	// Observe takes an activity that ended. It must not wait: it is called where answers are passed on.
	// It must not call what it observes. Safe for concurrent use.
	Observe(activity domain.Activity)
}

// ToolsObserver is told which tools servers have.
type ToolsObserver interface {
	// ObserveTools takes the tools of a server that exist for the host, as the server listed them last. It
	// must not wait or keep the definitions. Safe for concurrent use.
	ObserveTools(server domain.ServerID, tools []domain.ToolInfo)
}
