package host

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// inputRounds are the calls of a host of 2026-07-28 that are under way, oldest
// first. Safe for concurrent use.
type inputRounds struct {
	mu    sync.Mutex
	calls []*Call
	ended bool // no call begins any more
}

// statePrefix begins the requestState of the workbench's own. Any other belongs to
// a server.
const statePrefix = "mcp-workbench:"

// IsOwnState reports whether a requestState is one that a Call gave the host.
func IsOwnState(state string) bool { return strings.HasPrefix(state, statePrefix) }

// BeginCall registers a call before it is made; Finish must follow. Waiter is the
// request of the host, which has the given context. InputReply is how long the host
// may take for each round of input. After Disconnect the context of the call has ended.
func (h *Host) BeginCall(ctx context.Context, server domain.ServerID, inputReply time.Duration, waiter Waiter) *Call {
	call := newCall(h, server, inputReply)
	call.waiter = call.wait(ctx, waiter)
	if !h.rounds.add(call) {
		call.end()
	}
	return call
}

// BeginOpening is BeginCall for the opening of a toolbox. Servers cannot ask for input
// during it, so only a login can make it take more than one request of the host.
func (h *Host) BeginOpening(ctx context.Context, toolbox domain.ToolboxName, inputReply time.Duration, waiter Waiter) *Call {
	return h.BeginCall(ctx, openingOf(toolbox), inputReply, waiter)
}

// OpeningOf is CallOf for the opening of a toolbox.
func (h *Host) OpeningOf(toolbox domain.ToolboxName, state string) *Call {
	return h.CallOf(openingOf(toolbox), state)
}

// openingOf stands for all servers of a toolbox. No server has an empty name.
func openingOf(toolbox domain.ToolboxName) domain.ServerID { return domain.ServerID{Toolbox: toolbox} }

// CallOf returns the call to a server that gave the host the state, nil if there is
// none any more.
func (h *Host) CallOf(server domain.ServerID, state string) *Call {
	return h.rounds.findState(server, state)
}

// add adds a call. It returns false, and does nothing, after the end.
func (r *inputRounds) add(call *Call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.calls = append(r.calls, call)
	}
	return !r.ended
}

// endAll ends the calls that are under way, and those to come.
func (r *inputRounds) endAll() {
	r.mu.Lock()
	calls := slices.Clone(r.calls)
	r.ended = true
	r.mu.Unlock()
	for _, call := range calls {
		call.end()
	}
}

func (r *inputRounds) remove(call *Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = slices.DeleteFunc(r.calls, func(other *Call) bool { return other == call })
}

// find returns the call during which the server makes a request: the newest that
// the host waits for, otherwise the newest.
func (r *inputRounds) find(server domain.ServerID) *Call {
	return r.newest(func(of domain.ServerID) bool { return of == server })
}

// findForLogin returns the call in which the host is asked to log in at a server: one to
// that server, or the opening of its toolbox; chosen as find does.
func (r *inputRounds) findForLogin(server domain.ServerID) *Call {
	return r.newest(func(of domain.ServerID) bool { return of == server || of == openingOf(server.Toolbox) })
}

// newest returns the newest call that fits and that the host waits for, otherwise the
// newest that fits.
func (r *inputRounds) newest(fits func(of domain.ServerID) bool) *Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found *Call
	for _, call := range slices.Backward(r.calls) {
		if !fits(call.server) {
			continue
		}
		if call.hasWaiter() {
			return call
		}
		if found == nil {
			found = call
		}
	}
	return found
}

func (r *inputRounds) findState(server domain.ServerID, state string) *Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, call := range r.calls {
		if call.server == server && call.hasState(state) {
			return call
		}
	}
	return nil
}

// Waiter is a request of the host that waits for a call.
type Waiter struct {
	// Progress passes progress on under the token of the request; nil if the host wants
	// none.
	Progress func(ports.Progress)
	// Reply answers the request. It returns false if the host cancelled it before.
	Reply func(ports.Answer) bool
}

// newCall returns a call without a waiter.
func newCall(h *Host, server domain.ServerID, inputReply time.Duration) *Call {
	ctx, cancel := context.WithCancel(context.Background())
	return &Call{host: h, server: server, inputReply: inputReply, ctx: ctx, cancel: cancel}
}
