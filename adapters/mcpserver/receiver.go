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

// A Responder answers one request whose answer has its own channel, as every request over HTTP does.
// Its connection carries the messages about the request before the answer. Safe for concurrent use.
type Responder interface {
	host.Connection
	// WriteProgress is Write for messages that are useless after the request was answered or
	// cancelled.
	WriteProgress(frame jsonrpc.Frame)
	// Answer writes the answer, the last message about the request, and does not keep the bytes
	// of the frame. Refused is set if the request could not be handled, so that no server has
	// seen it. Answer may wait for a host that does not read.
	Answer(frame jsonrpc.Frame, refused bool)
	// Cancelled is called instead of Answer if the host cancelled the request.
	Cancelled()
}

// A Receiver handles the messages of one host that arrive one at a time, each request with a
// Responder of its own. Safe for concurrent use.
type Receiver struct {
	conversation *conversation
	stop         context.CancelFunc
	last         atomic.Uint64 // number of the last request of 2026-07-28
}

// Receiver returns a receiver for a host whose messages arrive one at a time, in place of Serve.
// Messages that belong to no request leave through the connection. The states of servers are sealed
// for this host, since there are other hosts. The caller must close the receiver.
func (s *Server) Receiver(ctx context.Context, rest host.Connection) *Receiver {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.host.Connect(rest)
	s.states.everything = true
	return &Receiver{stop: stop, conversation: &conversation{
		server: s, log: s.program.log, work: work, requests: newRequestsInFlight(s.program.settings.InFlight),
	}}
}

// Receive handles a message and does not wait for an answer. responder is that of a request, nil for
// other messages. cancel, also nil for other messages, cancels the request and, unless the request
// was answered, tells the responder. If the answer asked the host for input, cancel ends the call,
// since the host did not read the answer.
func (r *Receiver) Receive(in Incoming, responder Responder) (cancel func()) {
	c := r.conversation
	switch {
	case in.message.IsRequest():
		begun := newRequest(c, in.message, in.params)
		begun.responder, begun.ctx.transportTrace = responder, in.TransportTrace
		if begun.modern {
			// Ids of 2026-07-28 need not be unique: each request has a stream of its own, and
			// several programs can count as one host.
			begun.key = "request " + strconv.FormatUint(r.last.Add(1), 10)
		}
		c.begin(begun, in.params)
		return func() {
			c.requests.abandon(begun)
			begun.ctx.lose()
		}
	case in.message.IsNotification():
		c.notice(in.message, in.members)
	default:
		c.server.host.Answered(in.message)
	}
	return nil
}

// Wait ends subscriptions, then waits until no request is under way or the context ends. No message
// may be received after it.
func (r *Receiver) Wait(ctx context.Context) {
	r.conversation.server.host.EndSubscriptions()
	r.conversation.requests.wait(ctx)
}

// Close ends the work for every request under way, and gives each a moment to be answered.
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

// newRequest returns a request that is not yet under way.
func newRequest(c *conversation, message jsonrpc.Message, params params) *request {
	return &request{
		id: bytes.Clone(message.ID), key: jsonrpc.IDKey(message.ID), method: message.Method, modern: params.isModern(),
		conversation: c,
	}
}

// connection returns the connection for messages about the request before its answer.
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

// accompany makes the messages of a server that works on the request leave through its responder,
// if it has one.
func (s *Server) accompany(ctx context.Context, r *request, server domain.ServerID) {
	if r.responder != nil && !r.modern {
		s.host.Accompany(ctx, server, r.responder)
	}
}
