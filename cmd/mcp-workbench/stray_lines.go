package main

import (
	"context"
	"log/slog"
	"sync"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/domain"
)

// strayLines counts what servers write to their output that is no message of MCP. Safe
// for concurrent use.
type strayLines struct {
	mu    sync.Mutex
	lines map[domain.ServerID]int
}

func newStrayLines() *strayLines { return &strayLines{lines: map[domain.ServerID]int{}} }

func (s *strayLines) of(server domain.ServerID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lines[server]
}

// handler returns a handler that counts, and passes on to next what next is enabled for.
func (s *strayLines) handler(next slog.Handler) slog.Handler {
	return &strayLinesHandler{counts: s, next: next}
}

type strayLinesHandler struct {
	counts *strayLines
	next   slog.Handler
	server domain.ServerID
}

// Enabled implements slog.Handler: the lines are logged at debug.
func (h *strayLinesHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level == slog.LevelDebug || h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h *strayLinesHandler) Handle(ctx context.Context, record slog.Record) error {
	if record.Message == mcpclient.IgnoredLine {
		h.counts.mu.Lock()
		h.counts.lines[h.server]++
		h.counts.mu.Unlock()
	}
	if !h.next.Enabled(ctx, record.Level) {
		return nil
	}
	return h.next.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h *strayLinesHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	with := *h
	with.next = h.next.WithAttrs(attributes)
	for _, attribute := range attributes {
		switch attribute.Key {
		case "toolbox":
			with.server.Toolbox = domain.ToolboxName(attribute.Value.String())
		case "server":
			with.server.Server = domain.ServerName(attribute.Value.String())
		}
	}
	return &with
}

// WithGroup implements slog.Handler.
func (h *strayLinesHandler) WithGroup(name string) slog.Handler {
	with := *h
	with.next = h.next.WithGroup(name)
	return &with
}
