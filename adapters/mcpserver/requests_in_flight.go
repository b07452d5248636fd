package mcpserver

import (
	"context"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// requestsInFlight holds the requests under way. Each is answered at most once, and not if the host
// cancelled it. Safe for concurrent use.
type requestsInFlight struct {
	limit int

	mu        sync.Mutex
	table     jsonrpc.InFlight[struct{}, *request]
	answering int           // requests that left the table, whose answers are being written
	idle      chan struct{} // closed when no request is under way; nil before wait
	ended     bool          // the work of every request has ended
}

func newRequestsInFlight(limit int) *requestsInFlight {
	return &requestsInFlight{limit: limit, table: jsonrpc.NewInFlight[struct{}, *request]()}
}

// add adds a request. The text of the error is for the host.
func (f *requestsInFlight) add(r *request) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		r.ctx.end()
	}
	return f.table.Accept(r.key, r, f.limit)
}

// beginAnswer removes a request and reports whether to write its answer: not if it was cancelled or
// answered before. After true, answered must be called.
func (f *requestsInFlight) beginAnswer(r *request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if open, _ := f.table.Incoming(r.key); open != r {
		return false
	}
	f.table.Settle(r.key)
	f.answering++
	return true
}

// answered records that the answer to a removed request was written.
func (f *requestsInFlight) answered() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answering--
	f.noteIdleLocked()
}

// cancel removes the request with that key and ends its work. It will not be answered, and its id
// is free again.
func (f *requestsInFlight) cancel(key string) { f.cancelled(f.removeCancelled(key, nil)) }

// abandon cancels a request, unless it was answered before. A later request with its id is not affected.
func (f *requestsInFlight) abandon(r *request) { f.cancelled(f.removeCancelled(r.key, r)) }

// cancelled ends the work of a request that was removed, nil for none.
func (*requestsInFlight) cancelled(r *request) {
	if r == nil {
		return
	}
	r.ctx.end()
	if r.responder != nil {
		r.responder.Cancelled()
	}
}

// end ends the work of every request under way and of later ones. They are still to be answered.
func (f *requestsInFlight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for _, r := range f.table.AllIncoming() {
		r.ctx.end()
	}
}

// removeCancelled removes the request with that key, or only a certain one, nil for any.
func (f *requestsInFlight) removeCancelled(key string, only *request) *request {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, open := f.table.Incoming(key)
	if !open || only != nil && r != only || r.method == mcp.MethodInitialize {
		return nil // the protocol forbids cancelling initialize
	}
	f.table.Settle(key)
	f.noteIdleLocked()
	return r
}

// isOpen reports whether a request is still to be answered.
func (f *requestsInFlight) isOpen(r *request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	open, _ := f.table.Incoming(r.key)
	return open == r
}

func (f *requestsInFlight) noteIdleLocked() {
	if f.table.IncomingCount() == 0 && f.answering == 0 && f.idle != nil {
		close(f.idle)
		f.idle = nil
	}
}

// wait waits until no request is under way or the context ends. It is for one caller, after the
// last request was added.
func (f *requestsInFlight) wait(ctx context.Context) {
	idle := make(chan struct{})
	f.mu.Lock()
	f.idle = idle
	f.noteIdleLocked()
	f.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}
