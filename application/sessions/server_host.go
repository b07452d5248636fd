package sessions

import (
	"context"
	"log/slog"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// serverHost is the host as one server reaches it. It does not pass on that the server's
// tools changed, since the workbench lists them itself, nor notifications that do not
// concern the host.
type serverHost struct {
	ports.Host
	*startProgress
	ownership *Ownership
	idle      *idleness
	tools     *toolRefresher
	log       *slog.Logger
	notices   *notices
}

var _ ports.StartWatcher = (*serverHost)(nil)

// Notify implements ports.Host.
func (h *serverHost) Notify(server domain.ServerID, notification ports.Notification) {
	if notification.Kind == ports.ToolsChanged {
		h.tools.markChanged()
		return
	}
	if !h.ownership.Concerns(server, notification) {
		h.log.Debug("dropped a notification, since it is not for the host or concerns another server",
			"toolbox", server.Toolbox, "server", server.Server, "method", domain.ShownText(notification.Method))
		return
	}
	if !h.notices.take(notification) {
		h.Host.Notify(server, notification)
	}
}

// Request implements ports.Host. A server that waits for an answer is not idle.
func (h *serverHost) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	if h.idle == nil || !h.idle.enter() {
		h.Host.Request(ctx, server, request, reply)
		return
	}
	h.Host.Request(ctx, server, request, func(answer ports.Answer, err error) {
		defer h.idle.leave()
		reply(answer, err)
	})
}
