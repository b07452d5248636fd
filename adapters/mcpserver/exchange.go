package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// exchange is one request of the host until it is answered.
type exchange struct {
	id     json.RawMessage // in the host's bytes
	key    string
	method string
	modern bool // the request is of 2026-07-28; once checked
	// cancelled says that the host gave the request up; under the lock of the
	// exchanges.
	cancelled bool
	// speaking is held while progress or the answer is written: nothing comes after
	// the answer.
	speaking sync.Mutex
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

	mu        sync.Mutex
	byKey     map[string]*exchange
	answering int           // requests that are no more in byKey, whose answers are being written
	idle      chan struct{} // closed when all are answered after wait began
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
// when it was cancelled. Once it is written, answered has to be called.
func (e *exchanges) end(ended *exchange) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.byKey[ended.key] != ended {
		return false
	}
	e.answering++
	delete(e.byKey, ended.key)
	return true
}

// answered notes that the answer to an ended request was written.
func (e *exchanges) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answering--
	e.noteIdle()
}

// cancel ends the request of that id for good: its work is told to stop, its
// answer will not be written, its place is free.
func (e *exchanges) cancel(id json.RawMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cancelled, ok := e.byKey[idKey(id)]
	if !ok || cancelled.method == domain.MethodInitialize {
		return
	}
	cancelled.cancelled = true
	cancelled.ctx.end()
	delete(e.byKey, cancelled.key)
	e.noteIdle()
}

// wasCancelled reports whether the host gave the request up before it was
// answered.
func (e *exchange) wasCancelled() bool {
	all := e.conversation.exchanges
	all.mu.Lock()
	defer all.mu.Unlock()
	return e.cancelled
}

// concern notes which server a request is for, and the log messages that the host
// wants during it. It returns what the server has to be told, "" for nothing: other
// requests to it may want more.
func (e *exchanges) concern(open *exchange, server domain.ServerID, logLevel string) string {
	e.mu.Lock()
	open.server, open.logLevel = server, logLevel
	e.mu.Unlock()
	if logLevel == "" {
		return ""
	}
	return e.logLevel(server)
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

// isIdle reports whether every request was answered. The lock is held.
func (e *exchanges) isIdle() bool { return len(e.byKey) == 0 && e.answering == 0 }

func (e *exchanges) noteIdle() {
	if e.isIdle() && e.idle != nil {
		close(e.idle)
		e.idle = nil
	}
}

// wait waits until no request is under way or the context ends. It is for one
// caller, when no more begin.
func (e *exchanges) wait(ctx context.Context) {
	e.mu.Lock()
	if e.isIdle() {
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
	return string(jsonscan.Quote(jsonscan.Text(id)))
}
