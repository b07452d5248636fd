package logs

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"

	"mcp-workbench/domain"
)

// maxName is the number of bytes of the name of a host that are logged. Hosts choose it.
const maxName = 64

// Host is one host, as its log records name it. Safe for concurrent use.
type Host struct {
	log  *slog.Logger
	info atomic.Pointer[func() domain.HostInfo]
}

// NewHost returns a host whose logger writes to log. Each record has the identity of the host's caller and the
// name of its session, unless they are "".
func NewHost(log *slog.Logger, identity, session string) *Host {
	host := &Host{}
	host.log = slog.New(handler{next: log.Handler(), host: host})
	if identity != "" {
		host.log = host.log.With("identity", identity)
	}
	if session != "" {
		host.log = host.log.With("session", session)
	}
	return host
}

// Log returns the logger.
func (h *Host) Log() *slog.Logger { return h.log }

// Identify sets a function that returns the host's description of itself. Records before that have no name.
func (h *Host) Identify(info func() domain.HostInfo) { h.info.Store(&info) }

// name returns the name of the host, "" if it is not known.
func (h *Host) name() string {
	info := h.info.Load()
	if info == nil {
		return ""
	}
	return cut((*info)().Name)
}

func cut(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxName)], "")
}

// handler adds the name of the host to records.
type handler struct {
	next slog.Handler
	host *Host
}

// Enabled implements slog.Handler.
func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h handler) Handle(ctx context.Context, record slog.Record) error {
	if name := h.host.name(); name != "" {
		record = record.Clone()
		record.AddAttrs(slog.String("host", name))
	}
	return h.next.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return handler{next: h.next.WithAttrs(attributes), host: h.host}
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler {
	return handler{next: h.next.WithGroup(name), host: h.host}
}
