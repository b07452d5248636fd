package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

// inFlight is what is under way on one link, in both directions. Only functions
// that are passed to Conversation.updateInFlight use it, and its requests' deadlines.
type inFlight struct {
	jsonrpc.InFlight[*pendingRequest, serverRequest]
	askedSize     int64             // of the parameters of all incoming requests, in bytes
	subscriptions int64             // how many of the outgoing requests are subscriptions
	tokens        map[uint64]uint64 // progress token to outgoing request
	alarm         alarm
}

// pendingRequest is an outgoing request that waits for its answer.
type pendingRequest struct {
	request Request // without Params and FlushGroup
	reply   Reply
	begun   time.Time // zero when no limit is set
	// deadline is when a limit runs out, zero for never.
	deadline time.Time
	// unwatch ends the watch on the request's context; nil before there is one.
	unwatch func() bool
}

// beginRequest adds a request and returns its id. At most maxRequests may be under
// way besides subscriptions, 0 for any number.
func (f *inFlight) beginRequest(request Request, reply Reply, maxRequests int64) (uint64, error) {
	if f.Failure() == nil && maxRequests > 0 && int64(f.OutgoingCount())-f.subscriptions >= maxRequests && !request.isSubscription() {
		return 0, fmt.Errorf("%d requests to the server are under way, and no more are taken (limits.inFlight raises it)", maxRequests)
	}
	pending := &pendingRequest{request: request, reply: reply}
	pending.request.Params, pending.request.FlushGroup = nil, nil // only valid until Request returns
	id, err := f.Begin(pending)
	if err != nil {
		return 0, err
	}
	if request.Limit > 0 || request.TotalLimit > 0 {
		pending.begun = time.Now()
		pending.resetDeadline(pending.begun)
		f.alarm.set(pending.deadline)
	}
	if request.isSubscription() {
		f.subscriptions++
	}
	if request.Token != 0 {
		f.tokens[request.Token] = id
	}
	return id, nil
}

// acceptRequest adds a request of the server, which may have limits.inFlight at once, with
// parameters of limits.messageSize in all; 0 stands for any number.
func (f *inFlight) acceptRequest(id string, asked serverRequest, limits domain.Limits) error {
	most := math.MaxInt
	if limits.InFlight > 0 {
		most = int(min(limits.InFlight, math.MaxInt32))
	}
	if limits.MessageSize > 0 && f.IncomingCount() > 0 && f.askedSize+asked.size > limits.MessageSize {
		return fmt.Errorf("%w: %d of this server wait for the host, with as many bytes as a message may have (limits.messageSize raises it)",
			jsonrpc.ErrTooMany, f.IncomingCount())
	}
	err := f.Accept(id, asked, most)
	switch {
	case err == nil:
		f.askedSize += asked.size
	case errors.Is(err, jsonrpc.ErrTooMany):
		err = fmt.Errorf("%w: %d of this server wait for the host, and no more are taken (limits.inFlight raises it)", err, most)
	}
	return err
}

// settleRequest removes a request of the server and returns it, if it was still to be answered.
func (f *inFlight) settleRequest(id string) (serverRequest, bool) {
	asked, wanted := f.Settle(id)
	f.askedSize -= asked.size
	return asked, wanted
}

// completeRequest removes a request and returns it, if it still waited.
func (f *inFlight) completeRequest(id uint64) (*pendingRequest, bool) {
	pending, waited := f.Complete(id)
	if !waited {
		return nil, false
	}
	if pending.request.Token != 0 {
		delete(f.tokens, pending.request.Token)
	}
	if pending.request.isSubscription() {
		f.subscriptions--
	}
	return pending, true
}

// expired returns the requests whose limit ran out, with the error for each, and
// sets the alarm for the others. A server that waits for an answer of the host does
// not count as silent.
func (f *inFlight) expired(now time.Time) map[uint64]error {
	expired := map[uint64]error{}
	var next time.Time
	for id, request := range f.AllOutgoing() {
		if request.deadline.IsZero() {
			continue
		}
		if f.IncomingCount() > 0 {
			request.resetDeadline(now)
		}
		if !request.deadline.After(now) {
			expired[id] = request.limitError(now)
		} else if next.IsZero() || request.deadline.Before(next) {
			next = request.deadline
		}
	}
	f.alarm.rang()
	if !next.IsZero() && f.Failure() == nil {
		f.alarm.set(next)
	}
	return expired
}

// finish replies to a request that was removed from the table.
func (p *pendingRequest) finish(answer Answer, err error) {
	if p.unwatch != nil {
		p.unwatch()
	}
	p.reply(answer, err)
}

// resetDeadline starts the time in which the server may be silent, again or for the
// first time, within what the request may take in all.
func (p *pendingRequest) resetDeadline(now time.Time) {
	if p.request.Limit > 0 {
		p.deadline = now.Add(p.request.Limit)
	}
	if p.request.TotalLimit > 0 {
		last := p.begun.Add(p.request.TotalLimit)
		if p.deadline.IsZero() || p.deadline.After(last) {
			p.deadline = last
		}
	}
}

// limitError says which limit of the request ran out.
func (p *pendingRequest) limitError(now time.Time) *LimitError {
	waited := now.Sub(p.begun)
	return &LimitError{Waited: waited, InAll: p.request.TotalLimit > 0 && waited >= p.request.TotalLimit}
}

// afterFuncer is a context that runs functions at its end itself. The package
// context has the same interface, unexported, and names it in the documentation of
// AfterFunc.
type afterFuncer interface {
	AfterFunc(f func()) (stop func() bool)
}

// afterEnd is context.AfterFunc without the context that it puts in front of an
// afterFuncer, as the contexts of the host's requests are.
func afterEnd(ctx context.Context, f func()) (stop func() bool) {
	if own, ok := ctx.(afterFuncer); ok {
		return own.AfterFunc(f)
	}
	return context.AfterFunc(ctx, f)
}

// alarm rings at the earliest of the times it was set to. One for all requests of
// a link costs next to nothing per request; a timer for each would wake threads
// of the scheduler each time.
type alarm struct {
	ring  func()
	timer *time.Timer
	at    time.Time // zero when it is not set
}

// set makes the alarm ring at the given time or before.
func (a *alarm) set(at time.Time) {
	if !a.at.IsZero() && !at.Before(a.at) {
		return
	}
	a.at = at
	if a.timer == nil {
		a.timer = time.AfterFunc(time.Until(at), a.ring)
		return
	}
	a.timer.Reset(time.Until(at))
}

// rang notes that the alarm rang.
func (a *alarm) rang() { a.at = time.Time{} }

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}
