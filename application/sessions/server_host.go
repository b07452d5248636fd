package sessions

import (
	"context"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// serverHost is the host as one server reaches it. That the server's tools changed
// is not passed on: it is the workbench that lists them.
type serverHost struct {
	ports.Host
	*startProgress
	idle  *idleness
	tools *toolList
}

var _ ports.StartWatcher = (*serverHost)(nil)

// Notify implements ports.Host.
func (h *serverHost) Notify(server domain.ServerID, notification ports.Message) {
	if notification.Method == domain.MethodNotificationToolsListChanged {
		h.tools.markChanged()
		return
	}
	h.Host.Notify(server, notification)
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
