package host

import (
	"context"

	"mcp-workbench/domain"
)

// accompaniedRequest is a request with a connection of its own, of a host with a handshake.
// What a server sends while it works on the request leaves through that connection
// (2025-11-25, basic/transports: such messages should relate to the request).
type accompaniedRequest struct {
	server     domain.ServerID // or OpeningOf its toolbox
	connection Connection
}

// Accompany makes messages of the server leave through the connection until the context ends.
// OpeningOf a toolbox means all of its servers.
func (h *Host) Accompany(ctx context.Context, server domain.ServerID, c Connection) {
	request := &accompaniedRequest{server: server, connection: c}
	h.accompanied.add(request)
	context.AfterFunc(ctx, func() { h.accompanied.remove(request) })
}

// connectionFor returns the connection of the newest accompanied request to the server, or
// fallback if there is none.
func (h *Host) connectionFor(server domain.ServerID, fallback Connection) Connection {
	newest := h.accompanied.newest(func(r *accompaniedRequest) bool {
		return r.server == server || r.server == OpeningOf(server.Toolbox)
	})
	if newest == nil {
		return fallback
	}
	return newest.connection
}
