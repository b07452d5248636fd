package jsonrpc

import (
	"errors"
	"iter"
	"maps"
)

// InFlight is the table of requests under way on one connection, in both
// directions: the outgoing ones of this side, which wait for answers, and the
// incoming ones of the other side, which wait to be answered. Out and In are what
// the owner keeps of each.
//
// It is plain data and not safe for concurrent use. Its owner embeds it in a struct
// with everything that changes along with it, and lets one method pass that struct,
// under its one lock, to functions that change it. The connection of the official
// Go SDK does so too (internal/jsonrpc2/conn.go, updateInFlight).
type InFlight[Out, In any] struct {
	lastID   uint64
	outgoing map[uint64]Out
	incoming map[string]In
	failure  error
}

// Failures of Accept. The text is fit for the other side.
var (
	ErrIDTaken = errors.New("a request with this id is under way")
	ErrTooMany = errors.New("too many requests are under way")
)

// NewInFlight returns an empty table.
func NewInFlight[Out, In any]() InFlight[Out, In] {
	return InFlight[Out, In]{outgoing: map[uint64]Out{}, incoming: map[string]In{}}
}

// Begin adds an outgoing request and returns the id to send it under, which no
// other outgoing request had or will have. It fails with what Fail was called with.
func (t *InFlight[Out, In]) Begin(request Out) (id uint64, err error) {
	if t.failure != nil {
		return 0, t.failure
	}
	t.lastID++
	t.outgoing[t.lastID] = request
	return t.lastID, nil
}

// Outgoing returns the outgoing request of that id, if it still waits.
func (t *InFlight[Out, In]) Outgoing(id uint64) (request Out, waits bool) {
	request, waits = t.outgoing[id]
	return request, waits
}

// AllOutgoing visits the outgoing requests that still wait, in no order.
func (t *InFlight[Out, In]) AllOutgoing() iter.Seq2[uint64, Out] { return maps.All(t.outgoing) }

// OutgoingCount returns how many outgoing requests wait.
func (t *InFlight[Out, In]) OutgoingCount() int { return len(t.outgoing) }

// Complete removes an outgoing request and returns it, if it still waited. The
// caller that gets it replies to it, so every request gets one reply.
func (t *InFlight[Out, In]) Complete(id uint64) (request Out, waited bool) {
	request, waited = t.outgoing[id]
	delete(t.outgoing, id)
	return request, waited
}

// Accept adds an incoming request, of which at most limit may be under way. The key
// stands for its id. It fails with what Fail was called with, ErrIDTaken or ErrTooMany.
func (t *InFlight[Out, In]) Accept(key string, request In, limit int) error {
	switch _, taken := t.incoming[key]; {
	case t.failure != nil:
		return t.failure
	case taken:
		return ErrIDTaken
	case len(t.incoming) >= limit:
		return ErrTooMany
	}
	t.incoming[key] = request
	return nil
}

// Incoming returns the incoming request of that key, if it is still to be answered.
func (t *InFlight[Out, In]) Incoming(key string) (request In, open bool) {
	request, open = t.incoming[key]
	return request, open
}

// AllIncoming visits the incoming requests that are still to be answered, in no
// order.
func (t *InFlight[Out, In]) AllIncoming() iter.Seq2[string, In] { return maps.All(t.incoming) }

// IncomingCount returns how many incoming requests are still to be answered.
func (t *InFlight[Out, In]) IncomingCount() int { return len(t.incoming) }

// Settle removes an incoming request and returns it, if it was still to be
// answered. The caller that gets it may answer it; after a cancel nobody does.
func (t *InFlight[Out, In]) Settle(key string) (request In, open bool) {
	request, open = t.incoming[key]
	delete(t.incoming, key)
	return request, open
}

// Fail refuses all later requests with err, and removes and returns those that were
// under way. Only the first call counts: first is false for later ones.
func (t *InFlight[Out, In]) Fail(err error) (outgoing map[uint64]Out, incoming map[string]In, first bool) {
	if t.failure != nil {
		return nil, nil, false
	}
	t.failure = err
	outgoing, incoming = t.outgoing, t.incoming
	t.outgoing, t.incoming = map[uint64]Out{}, map[string]In{}
	return outgoing, incoming, true
}

// Failure returns what Fail was called with first, nil if it was not.
func (t *InFlight[Out, In]) Failure() error { return t.failure }
