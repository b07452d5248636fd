package shell

import (
	"context"
	"log/slog"

	"mcp-workbench/domain"
)

// serverHandler is the handler of NewServerHandler. It is immutable.
type serverHandler struct {
	next   slog.Handler
	level  slog.Level
	take   func(domain.ServerID, slog.Record)
	server domain.ServerID
}

// NewServerHandler returns a handler that calls take with every record and its server, whatever its
// level, and passes records on to next if next is enabled for them. It is enabled for the given level
// even if next is not. Take must be safe for concurrent use.
func NewServerHandler(next slog.Handler, level slog.Level, take func(domain.ServerID, slog.Record)) slog.Handler {
	return &serverHandler{next: next, level: level, take: take}
}

// Enabled implements slog.Handler.
func (h *serverHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level == h.level || h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h *serverHandler) Handle(ctx context.Context, record slog.Record) error {
	h.take(h.server, record)
	if !h.next.Enabled(ctx, record.Level) {
		return nil
	}
	return h.next.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h *serverHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
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
func (h *serverHandler) WithGroup(name string) slog.Handler {
	with := *h
	with.next = h.next.WithGroup(name)
	return &with
}
