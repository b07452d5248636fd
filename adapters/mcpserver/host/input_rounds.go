package host

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// statePrefix begins every requestState of the workbench's own. All others belong to servers.
const statePrefix = "mcp-workbench:"

// IsOwnState reports whether a requestState is one that a Call gave the host.
func IsOwnState(state string) bool { return strings.HasPrefix(state, statePrefix) }

// Waiter is a request of the host that waits for a call.
type Waiter struct {
	// Progress passes progress on under the token of the request; nil if the host wants none.
	Progress func(ports.Progress)
	// Reply answers the request. It returns false if the host cancelled it before.
	Reply func(ports.Answer) bool
}

// BeginCall registers a call before it is made; Finish must follow. waiter is the request of
// the host, and ctx its context. inputReply limits how long the host can take for each round of
// input. After Disconnect, BeginCall returns a call that has ended.
//
// A call to OpeningOf a toolbox opens it. It takes more than one request of the host for a login, and for the roots
// of the host.
func (h *Host) BeginCall(ctx context.Context, server domain.ServerID, inputReply time.Duration, waiter Waiter) *Call {
	call := &Call{host: h, server: server, inputReply: inputReply}
	call.ctx, call.cancel = context.WithCancel(ports.WithTransportTrace(context.Background(), ports.TransportTraceOf(ctx)))
	call.mu.Lock()
	call.waiter = call.wait(ctx, waiter)
	call.mu.Unlock()
	h.calls.add(call)
	if h.isDisconnected() {
		call.end()
	}
	return call
}

// OpeningOf returns an id that means all servers of a toolbox. No server has it, since no
// server has an empty name.
func OpeningOf(toolbox domain.ToolboxName) domain.ServerID { return domain.ServerID{Toolbox: toolbox} }

// CallOf returns the call to a server that gave the host the state, nil if there is none.
func (h *Host) CallOf(server domain.ServerID, state string) *Call {
	return h.calls.newest(func(c *Call) bool { return c.server == server && c.hasState(state) })
}

// callTo returns the newest call to one of the servers that the host waits for, otherwise the
// newest of all of them.
func (h *Host) callTo(servers ...domain.ServerID) *Call {
	fits := func(c *Call) bool { return slices.Contains(servers, c.server) }
	return cmp.Or(h.calls.newest(func(c *Call) bool { return fits(c) && c.hasWaiter() }), h.calls.newest(fits))
}
