package ports

import "mcp-workbench/domain"

// ActivityObserver is told of everything that happens between one host and its servers: for a record, for
// numbers, for a status.
type ActivityObserver interface {
	// Observe takes an activity that ended. It must not wait: it is called where answers are passed on.
	// It must not use what it is told of. Safe for concurrent use.
	Observe(activity domain.Activity)
}

// ToolsObserver is told which tools servers have.
type ToolsObserver interface {
	// ObserveTools takes the tools of a server that exist for the host, as it listed them last. It must not
	// wait, and keeps no definition. Safe for concurrent use.
	ObserveTools(server domain.ServerID, tools []domain.ToolInfo)
}
