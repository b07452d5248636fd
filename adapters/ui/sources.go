package ui

import (
	"context"
	"encoding/json"
	"time"

	"mcp-workbench/adapters/status"
	"mcp-workbench/domain"
)

// Record is the stored activity of workbenches.
type Record interface {
	// Follow calls add with what is stored since a time, in the order in which it was recorded, then calls
	// read once, and then calls add with whatever is recorded, until the context ends. It returns why it
	// ended before.
	Follow(ctx context.Context, since time.Time, add func([]Entry), read func()) error
}

// Tool is a tool that a server has, or had when it ran last.
type Tool struct {
	ID domain.ToolIdentifier
	// Tokens is about how many tokens its definition takes.
	Tokens int
	// Definition is the server's definition of it, nil if only the name is known.
	Definition json.RawMessage
}

// Sources are where pages read. A nil function has nothing to say. All are called on any goroutine.
type Sources struct {
	Record Record
	// Status asks the running workbenches what they are doing. It takes a second at most.
	Status func(ctx context.Context) []status.Answer
	// Toolboxes are the configured ones, in their order.
	Toolboxes func() []domain.Toolbox
	// Tools are the tools of all servers, as far as they are known.
	Tools func(ctx context.Context) []Tool
	// Stderr returns the last lines that a server wrote to stderr, as far as the viewer may read them.
	Stderr func(ctx context.Context, server domain.ServerID, viewer Viewer) []string
}
