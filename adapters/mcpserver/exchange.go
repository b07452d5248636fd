package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

// exchange is one request of the host until it is answered.
type exchange struct {
	id     json.RawMessage // in the host's bytes
	key    string
	method string
	modern bool // the request is of 2026-07-28; once checked
	// What a call is for, and the log messages that the host wants during it; once
	// known, under the lock of the exchanges.
	server   domain.ServerID
	logLevel string
	// conversation is the one that the request came in.
	conversation *conversation
	// ctx is the context of all work for the request.
	ctx requestContext
}

// exchanges are the requests under way, by id. Each is answered at most once,
// and not at all when it was cancelled. Safe for concurrent use.
type exchanges struct {
	limit int

	mu    sync.Mutex
	byKey map[string]*exchange
	idle  chan struct{} // closed when the last one ended after wait began
}

func newExchanges(limit int) *exchanges {
	return &exchanges{limit: limit, byKey: map[string]*exchange{}}
}

// begin adds an exchange. It returns what forbids that, "" if nothing does.
func (e *exchanges) begin(begun *exchange) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, taken := e.byKey[begun.key]; taken {
		return "a request with this id is under way"
	}
	if len(e.byKey) >= e.limit {
		return "too many requests are under way"
	}
	e.byKey[begun.key] = begun
	return ""
}

// end removes an exchange and reports whether its answer may be written: not
// when it was cancelled.
func (e *exchanges) end(ended *exchange) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byKey[ended.key] != ended {
		return false
	}
	e.remove(ended.key)
	return true
}

// cancel ends the request of that id for good: its work is told to stop, its
// answer will not be written, its place is free.
func (e *exchanges) cancel(id json.RawMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cancelled, ok := e.byKey[idKey(id)]
	if !ok || cancelled.method == "initialize" {
		return
	}
	cancelled.ctx.end()
	e.remove(cancelled.key)
}

// concern notes which server a request is for, and the log messages that the host
// wants during it.
func (e *exchanges) concern(open *exchange, server domain.ServerID, logLevel string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	open.server, open.logLevel = server, logLevel
}

// logLevel returns the least level of log messages that a request to the server
// asks for, "" if none does.
func (e *exchanges) logLevel(server domain.ServerID) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	least := ""
	for _, open := range e.byKey {
		if open.server == server && open.logLevel != "" && (least == "" || severity(open.logLevel) < severity(least)) {
			least = open.logLevel
		}
	}
	return least
}

// isOpen reports whether a request is still to be answered.
func (e *exchanges) isOpen(open *exchange) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.byKey[open.key] == open
}

// cancelAll tells the work of every request to stop; each is still answered.
func (e *exchanges) cancelAll() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, open := range e.byKey {
		open.ctx.end()
	}
}

func (e *exchanges) remove(key string) {
	delete(e.byKey, key)
	if len(e.byKey) == 0 && e.idle != nil {
		close(e.idle)
		e.idle = nil
	}
}

// wait waits until no request is under way or the context ends. It is for one
// caller, when no more begin.
func (e *exchanges) wait(ctx context.Context) {
	e.mu.Lock()
	if len(e.byKey) == 0 {
		e.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	e.idle = idle
	e.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// idKey returns what tells ids apart: their bytes, with the escapes of a string
// resolved, so that a cancel finds its request however its sender writes it.
func idKey(id json.RawMessage) string {
	if bytes.IndexByte(id, '\\') < 0 {
		return string(id)
	}
	return string(jsonrpc.Quote(jsonrpc.Text(id)))
}
