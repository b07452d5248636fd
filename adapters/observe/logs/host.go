package logs

import (
	"context"
	"log/slog"
	"strings"

	"mcp-workbench/domain"
)

// maxName is the number of bytes of the name of a host that are logged. Hosts choose it.
const maxName = 64

// ForHost returns the logger of a host, which writes to log. Each record has the identity of the host's caller, the name of
// its session, and the name in the host's description of itself, unless they are "". The function info returns that
// description; it is called for each record, and must be safe for concurrent use.
func ForHost(log *slog.Logger, identity, session string, info func() domain.HostInfo) *slog.Logger {
	log = slog.New(handler{next: log.Handler(), info: info})
	if identity != "" {
		log = log.With("identity", identity)
	}
	if session != "" {
		log = log.With("session", session)
	}
	return log
}

// handler adds the name of the host to records.
type handler struct {
	next slog.Handler
	info func() domain.HostInfo
}

// Enabled implements slog.Handler.
func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, record slog.Record) error {
	name := h.info().Name
	if name = strings.ToValidUTF8(name[:min(len(name), maxName)], ""); name != "" {
		record = record.Clone()
		record.AddAttrs(slog.String("host", name))
	}
	return h.next.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return handler{next: h.next.WithAttrs(attributes), info: h.info}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler {
	return handler{next: h.next.WithGroup(name), info: h.info}
}
