package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// request is one request of the host, from its arrival until its answer is written
// or it is cancelled. Its fields never change, but for refused.
type request struct {
	id     json.RawMessage // in the host's bytes
	key    string          // what the table knows it by
	method string
	modern bool // of 2026-07-28
	// refused is set before the answer if that says that the request cannot be handled.
	refused bool
	// conversation is the one that the request came in.
	conversation *conversation
	// responder is the request's own way back to the host, nil when all messages take one
	// way.
	responder Responder
	ctx       requestContext // of all work for the request
	// writing is held while progress or the answer is written, so that nothing about the
	// request comes after its answer. A write may wait for the host; only messages
	// about the same request wait for this lock.
	writing sync.Mutex
}

// requestsInFlight are the requests under way. Each is answered at most once, and
// not at all when the host cancelled it. Safe for concurrent use.
type requestsInFlight struct {
	limit int

	mu        sync.Mutex
	table     jsonrpc.InFlight[struct{}, *request]
	answering int           // requests that left the table, whose answers are being written
	idle      chan struct{} // closed when nothing is under way; nil before wait
	ended     bool          // the work of every request has ended
}

func newRequestsInFlight(limit int) *requestsInFlight {
	return &requestsInFlight{limit: limit, table: jsonrpc.NewInFlight[struct{}, *request]()}
}

// add adds a request. The error, which is fit for the host, says why it cannot.
func (f *requestsInFlight) add(r *request) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		r.ctx.end()
	}
	return f.table.Accept(r.key, r, f.limit)
}

// beginAnswer removes a request and reports whether its answer may be written: not
// when it was cancelled or answered before. After true, answered has to be called.
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

// cancel removes the request of that key for good and ends its work. It will not be
// answered, and its id is free again.
func (f *requestsInFlight) cancel(key string) {
	r := f.removeCancelled(key)
	if r == nil {
		return
	}
	r.ctx.end()
	if r.responder != nil {
		r.responder.Cancelled()
	}
}

// end ends the work of every request under way, and of those that still come; they
// are still to be answered.
func (f *requestsInFlight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for _, r := range f.table.AllIncoming() {
		r.ctx.end()
	}
}

func (f *requestsInFlight) removeCancelled(key string) *request {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, open := f.table.Incoming(key)
	if !open || r.method == domain.MethodInitialize {
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

func (f *requestsInFlight) isIdleLocked() bool {
	return f.table.IncomingCount() == 0 && f.answering == 0
}

func (f *requestsInFlight) noteIdleLocked() {
	if f.isIdleLocked() && f.idle != nil {
		close(f.idle)
		f.idle = nil
	}
}

// wait waits until no request is under way or the context ends. It is for one
// caller, after the last request was added.
func (f *requestsInFlight) wait(ctx context.Context) {
	select {
	case <-f.whenIdle():
	case <-ctx.Done():
	}
}

// whenIdle returns a channel that is closed once no request is under way.
func (f *requestsInFlight) whenIdle() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	idle := make(chan struct{})
	f.idle = idle
	f.noteIdleLocked()
	return idle
}

// idKey returns what tells ids apart: their bytes, with the escapes of a string
// resolved, so that a cancel finds its request however its sender writes the id.
func idKey(id json.RawMessage) string {
	if bytes.IndexByte(id, '\\') < 0 {
		return string(id)
	}
	return string(rawjson.Quote(rawjson.Text(id)))
}
