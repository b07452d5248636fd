package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// inFlight are the requests in flight on a link, in both directions. Only functions passed to
// Conversation.updateInFlight access it and the deadlines of its requests.
type inFlight struct {
	jsonrpc.InFlight[*pendingRequest, serverRequest]
	incomingSize  int64             // of the parameters of all incoming requests, in bytes
	subscriptions int64             // number of subscriptions among the outgoing requests
	tokens        map[uint64]uint64 // progress token to outgoing request
	alarm         alarm
	// firstOutput and lastOutput are lines of the server that are not MCP; see noteOutput.
	firstOutput, lastOutput []byte
	lastOutputAt            time.Time
	// unfinished is a line that has no end yet, nil for none, and unfinishedAt when it began to wait for the rest.
	unfinished   []byte
	unfinishedAt time.Time
}

// pendingRequest is an outgoing request that is not answered yet. It keeps the fields of a Request that are needed
// after sending.
type pendingRequest struct {
	method            mcp.MCPMethod
	limit, totalLimit time.Duration
	token             uint64
	progress          func(ports.Progress)
	acknowledged      func(json.RawMessage)
	reply             Reply
	// deadline is when a limit runs out, zero for never; begun is zero if no limit is set.
	begun, deadline time.Time
	// unwatch ends the watch on the request's context, nil before there is one.
	unwatch func() bool
}

// beginRequest adds a request and returns its id. At most maxRequests besides subscriptions may be in
// flight, 0 for any number.
func (f *inFlight) beginRequest(request Request, reply Reply, maxRequests int64) (uint64, error) {
	if f.Failure() == nil && maxRequests > 0 && int64(f.OutgoingCount())-f.subscriptions >= maxRequests && !isSubscription(request.Method) {
		return 0, fmt.Errorf("%d requests to the server are in flight, and no more are accepted (limits.inFlight raises it)", maxRequests)
	}
	pending := &pendingRequest{
		method: request.Method, limit: request.Limit, totalLimit: request.TotalLimit, token: request.Token,
		progress: request.Progress, acknowledged: request.Acknowledged, reply: reply,
	}
	id, err := f.Begin(pending)
	if err != nil {
		return 0, err
	}
	if request.Limit > 0 || request.TotalLimit > 0 {
		pending.begun = time.Now()
		pending.resetDeadline(pending.begun)
		f.setAlarm(pending.deadline)
	}
	if isSubscription(request.Method) {
		f.subscriptions++
	}
	if request.Token != 0 {
		f.tokens[request.Token] = id
	}
	return id, nil
}

// acceptRequest adds a request of the server. At most limits.InFlight of them may wait at a time, with
// parameters of limits.MessageSize bytes in total; 0 means no limit.
func (f *inFlight) acceptRequest(id string, request serverRequest, limits domain.Limits) error {
	maxRequests := math.MaxInt
	if limits.InFlight > 0 {
		maxRequests = int(min(limits.InFlight, math.MaxInt32))
	}
	if limits.MessageSize > 0 && f.IncomingCount() > 0 && f.incomingSize+request.size > limits.MessageSize {
		return fmt.Errorf("%w: %d requests of this server wait for the host, with as many bytes as a message may have (limits.messageSize raises it)",
			jsonrpc.ErrTooMany, f.IncomingCount())
	}
	err := f.Accept(id, request, maxRequests)
	switch {
	case err == nil:
		f.incomingSize += request.size
	case errors.Is(err, jsonrpc.ErrTooMany):
		err = fmt.Errorf("%w: %d requests of this server wait for the host, and no more are accepted (limits.inFlight raises it)", err, maxRequests)
	}
	return err
}

// settleRequest removes a request of the server and returns it, if it was not answered yet.
func (f *inFlight) settleRequest(id string) (serverRequest, bool) {
	request, waits := f.Settle(id)
	f.incomingSize -= request.size
	return request, waits
}

// completeRequest removes a request and returns it, if it was still pending.
func (f *inFlight) completeRequest(id uint64) (*pendingRequest, bool) {
	pending, waited := f.Complete(id)
	if !waited {
		return nil, false
	}
	if pending.token != 0 {
		delete(f.tokens, pending.token)
	}
	if isSubscription(pending.method) {
		f.subscriptions--
	}
	return pending, true
}

// expired returns the error for each request whose limit ran out, and sets the alarm for the others.
// A server that waits for an answer of the host does not count as silent.
func (f *inFlight) expired(redact func(string) string) map[uint64]error {
	now, expired := time.Now(), map[uint64]error{}
	var next time.Time
	for id, request := range f.AllOutgoing() {
		if request.deadline.IsZero() {
			continue
		}
		if f.IncomingCount() > 0 {
			request.resetDeadline(now)
		}
		if !request.deadline.After(now) {
			waited, total := now.Sub(request.begun), request.totalLimit
			expired[id] = &LimitError{Waited: waited, InAll: total > 0 && waited >= total, Output: f.outputSince(request.begun, redact)}
		} else if next.IsZero() || request.deadline.Before(next) {
			next = request.deadline
		}
	}
	f.alarm.at = time.Time{}
	if !next.IsZero() && f.Failure() == nil {
		f.setAlarm(next)
	}
	return expired
}

// finish replies to a request that was removed from the table.
func (p *pendingRequest) finish(answer Answer, err error) {
	p.stopWatching()
	p.reply(answer, err)
}

// stopWatching ends the watch on the request's context. Further calls have no effect.
func (p *pendingRequest) stopWatching() {
	if p.unwatch != nil {
		p.unwatch()
	}
}

// resetDeadline restarts the time for which the server may be silent, within the total limit.
func (p *pendingRequest) resetDeadline(now time.Time) {
	if p.limit > 0 {
		p.deadline = now.Add(p.limit)
	}
	if p.totalLimit > 0 {
		last := p.begun.Add(p.totalLimit)
		if p.deadline.IsZero() || p.deadline.After(last) {
			p.deadline = last
		}
	}
}

// afterFuncer is a context with an AfterFunc method, which the documentation of context.AfterFunc
// names.
type afterFuncer interface {
	AfterFunc(f func()) (stop func() bool)
}

// afterEnd is context.AfterFunc without the allocation of a context for an afterFuncer, such as the
// context of a host's request.
func afterEnd(ctx context.Context, f func()) (stop func() bool) {
	if own, ok := ctx.(afterFuncer); ok {
		return own.AfterFunc(f)
	}
	return context.AfterFunc(ctx, f)
}

// alarm rings at the earliest time that it was set to. One alarm for all requests of a link costs next
// to nothing; a timer for each would wake threads of the scheduler each time.
type alarm struct {
	ring  func()
	timer *time.Timer
	at    time.Time // zero when it is not set
}

// setAlarm makes the alarm ring at the given time or earlier.
func (f *inFlight) setAlarm(at time.Time) {
	a := &f.alarm
	if !a.at.IsZero() && !at.Before(a.at) {
		return
	}
	a.at = at
	if in := time.Until(at); a.timer == nil {
		a.timer = time.AfterFunc(in, a.ring)
	} else {
		a.timer.Reset(in)
	}
}

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}
