package jsonrpc

import (
	"errors"
	"iter"
	"maps"
)

// InFlight is the table of pending requests on one connection, in both directions: outgoing
// ones of this side, which wait for answers, and incoming ones of the other side, which must
// be answered. Out and In are the types of the values that the owner stores for each.
//
// It is plain data and not safe for concurrent use. Its owner embeds it in a struct with all
// data that changes together with it. One method of the owner passes that struct, under a
// single lock, to functions that change it. The connection of the official Go SDK does the
// same (internal/jsonrpc2/conn.go, updateInFlight).
type InFlight[Out, In any] struct {
	lastID   uint64
	outgoing map[uint64]Out
	incoming map[string]In
	failure  error
}

// Failures of Accept. Their texts may be sent to the other side.
var (
	ErrIDTaken = errors.New("a request with this id is under way")
	ErrTooMany = errors.New("too many requests are under way")
)

// NewInFlight returns an empty table.
func NewInFlight[Out, In any]() InFlight[Out, In] {
	return InFlight[Out, In]{outgoing: map[uint64]Out{}, incoming: map[string]In{}}
}

// Begin adds an outgoing request and returns its id, which is unique on the connection. After
// Fail, it returns the error that Fail was called with.
func (t *InFlight[Out, In]) Begin(request Out) (id uint64, err error) {
	if t.failure != nil {
		return 0, t.failure
	}
	t.lastID++
	t.outgoing[t.lastID] = request
	return t.lastID, nil
}

// BeginAfter makes the ids of outgoing requests begin after id.
func (t *InFlight[Out, In]) BeginAfter(id uint64) { t.lastID = id }

// WasBegun reports whether a request ever had an id.
func (t *InFlight[Out, In]) WasBegun(id uint64) bool { return id != 0 && id <= t.lastID }

// Outgoing returns the outgoing request with an id, if it is pending.
func (t *InFlight[Out, In]) Outgoing(id uint64) (request Out, waits bool) {
	request, waits = t.outgoing[id]
	return request, waits
}

// AllOutgoing iterates over the pending outgoing requests, in no order.
func (t *InFlight[Out, In]) AllOutgoing() iter.Seq2[uint64, Out] { return maps.All(t.outgoing) }

// OutgoingCount returns the number of pending outgoing requests.
func (t *InFlight[Out, In]) OutgoingCount() int { return len(t.outgoing) }

// Complete removes an outgoing request and returns it, if it was pending. The caller that gets
// it replies to it, so every request gets one reply.
func (t *InFlight[Out, In]) Complete(id uint64) (request Out, waited bool) {
	request, waited = t.outgoing[id]
	delete(t.outgoing, id)
	return request, waited
}

// Accept adds an incoming request, unless limit of them are pending. The key represents its
// id. Failures: ErrIDTaken, ErrTooMany, and the error that Fail was called with.
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

// Incoming returns the incoming request with a key, if it is pending.
func (t *InFlight[Out, In]) Incoming(key string) (request In, open bool) {
	request, open = t.incoming[key]
	return request, open
}

// AllIncoming iterates over the pending incoming requests, in no order.
func (t *InFlight[Out, In]) AllIncoming() iter.Seq2[string, In] { return maps.All(t.incoming) }

// IncomingCount returns the number of pending incoming requests.
func (t *InFlight[Out, In]) IncomingCount() int { return len(t.incoming) }

// Settle removes an incoming request and returns it, if it was pending. Only the caller that
// gets it can answer it; a cancelled request is not answered.
func (t *InFlight[Out, In]) Settle(key string) (request In, open bool) {
	request, open = t.incoming[key]
	delete(t.incoming, key)
	return request, open
}

// Fail refuses all later requests with err, and removes and returns the pending ones. Only the
// first call has an effect: first is false for later ones.
func (t *InFlight[Out, In]) Fail(err error) (outgoing map[uint64]Out, incoming map[string]In, first bool) {
	if t.failure != nil {
		return nil, nil, false
	}
	t.failure = err
	outgoing, incoming = t.outgoing, t.incoming
	t.outgoing, t.incoming = map[uint64]Out{}, map[string]In{}
	return outgoing, incoming, true
}

// Failure returns the error that Fail was first called with, nil before that.
func (t *InFlight[Out, In]) Failure() error { return t.failure }
