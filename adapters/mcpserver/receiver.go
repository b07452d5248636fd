package mcpserver

import (
	"context"
	"strconv"
	"sync/atomic"
)

// A Receiver handles the messages of one host that arrive one at a time, each request with a
// Responder of its own. Safe for concurrent use.
type Receiver struct {
	conversation *conversation
	stop         context.CancelFunc
	last         atomic.Uint64 // number of the last request of 2026-07-28
}

// Receive handles a message and does not wait for an answer. responder is that of a request, nil for
// other messages. cancel, also nil for other messages, cancels the request and, unless the request
// was answered, tells the responder. If the answer asked the host for input, cancel ends the call,
// since the host did not read the answer.
func (r *Receiver) Receive(in Incoming, responder Responder) (cancel func()) {
	c := r.conversation
	switch {
	case in.message.IsRequest():
		req := newRequest(c, in.message, in.params)
		req.responder, req.ctx.transportTrace = responder, in.TransportTrace
		if req.modern {
			// Ids of 2026-07-28 need not be unique: each request has a stream of its own, and
			// several programs can count as one host.
			req.key = "request " + strconv.FormatUint(r.last.Add(1), 10)
		}
		c.begin(req, in.params)
		return func() {
			c.requests.abandon(req)
			req.ctx.lose()
		}
	case in.message.IsNotification():
		c.notice(in.message, in.members)
	default:
		c.host.Answered(in.message)
	}
	return nil
}

// Wait ends subscriptions, then waits until no request is under way or the context ends. No message
// may be received after it.
func (r *Receiver) Wait(ctx context.Context) {
	r.conversation.host.EndSubscriptions()
	r.conversation.requests.wait(ctx)
}

// Close ends the work for every request under way, and gives each a moment to be answered.
func (r *Receiver) Close(ctx context.Context) {
	c := r.conversation
	defer r.stop()
	c.host.EndSubscriptions()
	c.requests.end()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastAnswersTime)
	defer cancel()
	c.requests.wait(last)
	c.host.Disconnect()
}
