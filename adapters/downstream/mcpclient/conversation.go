package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// Conversation tracks the requests in flight on one link, in both directions, with their progress and
// limits, whatever carries the bytes. The link passes in each message that arrives, and its Sender
// sends messages. Safe for concurrent use, except where a method says otherwise.
type Conversation struct {
	sender      Sender
	messages    *ServerMessages
	maxRequests int64 // in flight besides subscriptions, 0 for any number
	isSingle    bool  // one stream carries all answers, so only an id says what is answered
	log         *slog.Logger
	done        chan struct{}
	parts       severalLines // accessed only in Receive

	mu    sync.Mutex
	state inFlight // accessed only in updateInFlight
}

// Sender sends the messages that a conversation makes itself. Its methods must not wait.
type Sender interface {
	// Cancel is called when a request has been given up. Notice holds the parameters of the notification
	// to the server; it is nil for a request that must not be cancelled.
	Cancel(id uint64, notice json.RawMessage)
	// Answer sends the answer to a request of the server. It must not keep the frame.
	Answer(frame jsonrpc.Frame) error
}

// NewConversation returns an empty conversation. Notifications and requests of the server go to
// messages.
func NewConversation(sender Sender, messages *ServerMessages) *Conversation {
	c := &Conversation{
		sender: sender, messages: messages, maxRequests: messages.server.Limits.InFlight, log: messages.log, done: make(chan struct{}),
		state: inFlight{
			InFlight: jsonrpc.NewInFlight[*pendingRequest, serverRequest](), tokens: map[uint64]uint64{},
		},
	}
	c.state.alarm.ring = c.expireRequests
	return c
}

// Expected implements Link for links whose messages carry no version outside their content: nearly every server over a
// pipe knows the handshake, and some exit on anything else.
func (*Conversation) Expected() string { return mcp.LATEST_LEGACY_PROTOCOL_VERSION }

// Agree implements Link for such links.
func (*Conversation) Agree(string) {}

// Admit implements Link for links that can call every tool.
func (*Conversation) Admit(string, json.RawMessage) error { return nil }

// updateInFlight is the only access to the requests in flight. Change runs under the lock, so it must
// not wait or lock again.
func (c *Conversation) updateInFlight(change func(state *inFlight)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.state)
}

// Done returns a channel that Fail closes.
func (c *Conversation) Done() <-chan struct{} { return c.done }

// Err returns the error of the first call of Fail, nil before that.
func (c *Conversation) Err() (err error) {
	select {
	case <-c.done:
		c.updateInFlight(func(state *inFlight) { err = state.Failure() })
	default:
	}
	return err
}

// Fail ends every pending request with err and refuses later ones with it. Later calls are ignored.
func (c *Conversation) Fail(err error) {
	var outgoing map[uint64]*pendingRequest
	var incoming map[string]serverRequest
	var first bool
	c.updateInFlight(func(state *inFlight) {
		if outgoing, incoming, first = state.Fail(err); first {
			state.alarm.stop()
		}
	})
	if !first {
		return
	}
	close(c.done)
	for _, request := range incoming {
		request.cancel()
	}
	for _, request := range outgoing {
		request.finish(Answer{}, err)
	}
}

// Begin registers a request and returns the id to send it under. If it cannot begin, because its
// context ended or the link failed, Begin replies and returns false. Watch makes the request end with
// its context.
func (c *Conversation) Begin(ctx context.Context, request Request, reply Reply) (id uint64, begun bool) {
	err := ctx.Err()
	if err == nil {
		c.updateInFlight(func(state *inFlight) { id, err = state.beginRequest(request, reply, c.maxRequests) })
	}
	if err != nil {
		reply(Answer{}, err)
	}
	return id, err == nil
}

// Watch cancels a request when its context ends. Where the server could see the cancellation before
// the request, call it after sending the request.
func (c *Conversation) Watch(ctx context.Context, id uint64) {
	c.updateInFlight(func(state *inFlight) {
		if request, waits := state.Outgoing(id); waits {
			request.unwatch = afterEnd(ctx, func() { c.cancelRequest(id, ctx.Err()) })
		}
	})
}

// untilEnd returns a context that also ends with a request, before its reply, until Watch is called. It is for a
// request that is not sent yet. Callers call end when it was sent or given up.
func (c *Conversation) untilEnd(ctx context.Context, id uint64) (until context.Context, end func()) {
	until, end = context.WithCancel(ctx)
	c.updateInFlight(func(state *inFlight) {
		if request, waits := state.Outgoing(id); waits {
			request.unwatch = func() bool { end(); return true }
		} else {
			end()
		}
	})
	return until, end
}

// Waits reports whether the request is still pending.
func (c *Conversation) Waits(id uint64) (waits bool) {
	c.updateInFlight(func(state *inFlight) { _, waits = state.Outgoing(id) })
	return waits
}

// End ends a request with the given outcome. It returns false if the request had already ended.
func (c *Conversation) End(id uint64, answer Answer, err error) bool {
	var request *pendingRequest
	var waited bool
	c.updateInFlight(func(state *inFlight) { request, waited = state.completeRequest(id) })
	if waited {
		request.finish(answer, err)
	}
	return waited
}

// expireRequests cancels every request whose limit ran out.
func (c *Conversation) expireRequests() {
	var expired map[uint64]error
	c.updateInFlight(func(state *inFlight) { expired = state.expired(c.messages.redact) })
	for id, err := range expired {
		c.cancelRequest(id, err)
	}
}

// cancelRequest gives a request up and tells the server.
func (c *Conversation) cancelRequest(id uint64, cause error) {
	var request *pendingRequest
	var waited bool
	c.updateInFlight(func(state *inFlight) { request, waited = state.completeRequest(id) })
	if !waited {
		return
	}
	request.stopWatching() // so that it is not sent after the notice
	defer request.finish(Answer{}, cause)
	c.sender.Cancel(id, cancelNotice(id, request.method, cause))
}

// cancelNotice returns the parameters of the notification that cancels a request, nil for a handshake,
// which must not be cancelled.
func cancelNotice(id uint64, method mcp.MCPMethod, cause error) json.RawMessage {
	if IsHandshake(method) {
		return nil
	}
	reason := "the caller gave the request up"
	if _, isLimit := errors.AsType[*LimitError](cause); isLimit {
		reason = cause.Error()
	}
	return rawjson.Object{}.Uint("requestId", id).Text("reason", reason).JSON()
}
