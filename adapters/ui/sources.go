package ui

import (
	"context"
	"encoding/json"
	"time"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
)

// Record is the recorded activity of workbenches.
type Record interface {
	// Follow calls add with the entries stored since a time, in the order in which they were recorded. Then it
	// calls read, and continues to call add with new entries until the context ends. It returns an error if it
	// ends earlier. Read may be called more than once.
	Follow(ctx context.Context, since time.Time, add func([]activity.Entry), read func()) error
}

// Tool is a tool that a server has, or had when it last ran.
type Tool struct {
	ID domain.ToolIdentifier
	// Tokens is the approximate number of tokens in its definition.
	Tokens int
	// Definition is the server's definition of the tool, nil if only the name is known.
	Definition json.RawMessage
}

// Sources supply the data of pages. A nil function supplies none. The functions must be safe for concurrent use.
type Sources struct {
	Record Record
	// Status asks the running workbenches what they are doing. It takes a second at most.
	Status func(ctx context.Context) []status.Answer
	// Toolboxes returns the configured toolboxes in order.
	Toolboxes func() []domain.Toolbox
	// Tools returns the known tools of all servers.
	Tools func(ctx context.Context) []Tool
	// Stderr returns the last lines that a server wrote to stderr and that the viewer may read.
	Stderr func(ctx context.Context, server domain.ServerID, viewer Viewer) []string
}
