package application

import (
	"context"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// hearing is the host as one server reaches it. That the server's tools changed
// stops here: it is the workbench that lists them.
type hearing struct {
	ports.Host
	idle         *idleness
	relist       func()
	toolsChanged atomic.Bool
}

// Notify implements ports.Host.
func (h *hearing) Notify(server domain.ServerID, notification ports.Message) {
	if notification.Method == domain.MethodNotificationToolsListChanged {
		h.toolsChanged.Store(true)
		h.relist()
		return
	}
	h.Host.Notify(server, notification)
}

// Request implements ports.Host. A server that waits for an answer is not idle.
func (h *hearing) Request(ctx context.Context, server domain.ServerID, request ports.Message, reply ports.Reply) {
	if h.idle == nil || !h.idle.enter() {
		h.Host.Request(ctx, server, request, reply)
		return
	}
	h.Host.Request(ctx, server, request, func(answer ports.Answer, err error) {
		defer h.idle.leave()
		reply(answer, err)
	})
}
