package host

import (
	"context"
	"slices"
	"sync"

	"mcp-workbench/domain"
)

// accompanied are the requests of a host with a handshake that have a way back of their
// own, oldest first. What a server says or asks while it works on one of them leaves
// through it (2025-11-25, basic/transports: such messages should relate to the request).
// Safe for concurrent use.
type accompanied struct {
	mu       sync.Mutex
	requests []*accompaniedRequest
}

type accompaniedRequest struct {
	server     domain.ServerID // without a name for all of a toolbox
	connection Connection
}

// Accompany says that a request to the server has a way back of its own until the context
// ends. A server without a name stands for all of its toolbox.
func (h *Host) Accompany(ctx context.Context, server domain.ServerID, c Connection) {
	request := &accompaniedRequest{server: server, connection: c}
	h.accompanied.add(request)
	context.AfterFunc(ctx, func() { h.accompanied.remove(request) })
}

func (a *accompanied) add(request *accompaniedRequest) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, request)
}

func (a *accompanied) remove(request *accompaniedRequest) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = slices.DeleteFunc(a.requests, func(other *accompaniedRequest) bool { return other == request })
}

// connection returns the way back of the newest request to the server, otherwise the one
// for all.
func (a *accompanied) connection(server domain.ServerID, otherwise Connection) Connection {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, request := range slices.Backward(a.requests) {
		if request.server == server || request.server == openingOf(server.Toolbox) {
			return request.connection
		}
	}
	return otherwise
}
