package mcpserver

import (
	"bytes"
	"context"
	"strconv"
	"sync/atomic"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
)

// A Responder is the way back to the host for one request that came on its own, as every
// request over HTTP does. Its connection carries what belongs to the request and comes
// before the answer. Safe for concurrent use.
type Responder interface {
	host.Connection
	// WriteProgress is Write for messages that are useless once the request was answered or
	// cancelled.
	WriteProgress(frame jsonrpc.Frame)
	// Answer takes the answer, after which nothing about the request follows. The bytes of
	// the frame are needed until it returns. Refused is set when the answer is an error that
	// says that the request cannot be handled: no server has seen it. Answer may wait for a
	// host that does not read.
	Answer(frame jsonrpc.Frame, refused bool)
	// Cancelled says that the host gave the request up, so that no answer will come.
	Cancelled()
}

// A Receiver handles the messages of one host that come one at a time, each request with a
// Responder of its own. Safe for concurrent use.
type Receiver struct {
	conversation *conversation
	stop         context.CancelFunc
	last         atomic.Uint64 // number of the last request of 2026-07-28
}

// Receiver returns a receiver for a host whose messages come one at a time, in place of Serve.
// What belongs to no request leaves through the connection. The states of servers are
// sealed to the host, since there are others. Callers close the receiver.
func (s *Server) Receiver(ctx context.Context, rest host.Connection) *Receiver {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.host.Connect(rest)
	s.states.everything = true
	return &Receiver{stop: stop, conversation: &conversation{
		server: s, log: s.program.log, work: work, requests: newRequestsInFlight(s.program.limits.InFlight),
	}}
}

// Receive handles a message. The responder is that of a request, nil for anything else.
// Cancel, which is nil for anything but a request, gives the request up: its responder
// is told that it was cancelled, unless it was answered. Receive does not wait for the
// answer.
func (r *Receiver) Receive(in Incoming, responder Responder) (cancel func()) {
	c := r.conversation
	switch {
	case in.message.IsRequest():
		begun := newRequest(c, in.message, in.params)
		begun.responder = responder
		if begun.modern {
			// Ids of 2026-07-28 are the host's own affair: each of its requests has a stream
			// by itself, and several programs may count as one host.
			begun.key = "request " + strconv.FormatUint(r.last.Add(1), 10)
		}
		c.begin(begun, in.params)
		return func() { c.requests.cancel(begun.key) }
	case in.message.IsNotification():
		c.notice(in.message, in.members)
	default:
		c.server.host.Answered(in.message)
	}
	return nil
}

// Wait waits until no request is under way or the context ends. Subscriptions, which would
// go on for ever, are ended. It is for the end: no message may come after it.
func (r *Receiver) Wait(ctx context.Context) {
	r.conversation.server.host.EndSubscriptions()
	r.conversation.requests.wait(ctx)
}

// Close ends the work for every request that is under way; each is answered before Close
// returns, or a moment has passed.
func (r *Receiver) Close(ctx context.Context) {
	c := r.conversation
	defer r.stop()
	c.server.host.EndSubscriptions()
	c.requests.end()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastAnswersTime)
	defer cancel()
	c.requests.wait(last)
	c.server.host.Disconnect()
}

// newRequest returns a request that is not under way yet.
func newRequest(c *conversation, message jsonrpc.Message, params params) *request {
	return &request{
		id: bytes.Clone(message.ID), key: idKey(message.ID), method: message.Method, modern: params.isModern(),
		conversation: c,
	}
}

// connection returns the way for what belongs to the request and comes before its answer.
func (r *request) connection() host.Connection {
	if r.responder != nil {
		return r.responder
	}
	return r.conversation
}

// refuse answers a request that is not under way.
func (r *request) refuse(answer jsonrpc.Frame) {
	if r.responder != nil {
		r.responder.Answer(answer, true)
	} else {
		r.conversation.Write(answer)
	}
}

// accompany lets what a server says while it works on the request go its way, where it has
// one of its own.
func (s *Server) accompany(ctx context.Context, r *request, server domain.ServerID) {
	if r.responder != nil && !r.modern {
		s.host.Accompany(ctx, server, r.responder)
	}
}
