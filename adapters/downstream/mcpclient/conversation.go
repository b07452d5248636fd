package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// Conversation is what is under way on one link, however its bytes travel: the
// requests that wait for answers, their progress and limits, and the requests of
// the server. A link hands in what arrives and sends what its Sender is given. Safe
// for concurrent use, except where a method says more.
type Conversation struct {
	sender      Sender
	messages    *ServerMessages
	maxRequests int64 // under way besides subscriptions, 0 for any number
	log         *slog.Logger
	done        chan struct{}

	mu    sync.Mutex
	state inFlight // accessed only in updateInFlight
}

// Sender sends the messages that a conversation makes itself. It must not wait.
type Sender interface {
	// Cancel is called when nobody waits for a request any longer. Notice is the
	// parameters of the notification to the server, nil for a request that must not be
	// cancelled.
	Cancel(id uint64, notice json.RawMessage)
	// Answer sends the answer to a request of the server's. The bytes of the frame
	// are needed until Answer returns.
	Answer(frame jsonrpc.Frame) error
}

// NewConversation returns a conversation in which nothing is under way. The
// server's own notifications and requests go to messages.
func NewConversation(sender Sender, messages *ServerMessages, log *slog.Logger) *Conversation {
	c := &Conversation{
		sender: sender, messages: messages, maxRequests: messages.server.Limits.InFlight, log: log, done: make(chan struct{}),
		state: inFlight{InFlight: jsonrpc.NewInFlight[*pendingRequest, serverRequest](), tokens: map[uint64]uint64{}},
	}
	c.state.alarm.ring = c.expireRequests
	return c
}

// updateInFlight is the only access to the requests under way. Change runs with the
// lock held, so it calls nothing that may wait or take the lock again.
func (c *Conversation) updateInFlight(change func(state *inFlight)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.state)
}

// Done is closed once Fail was called.
func (c *Conversation) Done() <-chan struct{} { return c.done }

// Err returns what Fail was called with first, nil if it was not.
func (c *Conversation) Err() (err error) {
	select {
	case <-c.done:
		c.updateInFlight(func(state *inFlight) { err = state.Failure() })
	default:
	}
	return err
}

// Fail ends every pending request with err and refuses later ones with it. The
// first call counts.
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
	for _, asked := range incoming {
		asked.cancel()
	}
	for _, request := range outgoing {
		request.finish(Answer{}, err)
	}
}

// Begin registers a request and returns the id to send it under. If it cannot
// begin, because its context ended or the link is gone, Begin replies and reports
// false. From Watch on it ends with its context.
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

// Watch cancels a request when its context ends, unless it has ended before. Where
// the server would see the cancel before the request, call it after the sending.
func (c *Conversation) Watch(ctx context.Context, id uint64) {
	c.updateInFlight(func(state *inFlight) {
		if request, waits := state.Outgoing(id); waits {
			request.unwatch = afterEnd(ctx, func() { c.cancelRequest(id, ctx.Err()) })
		}
	})
}

// Waits reports whether the request still waits for its answer.
func (c *Conversation) Waits(id uint64) (waits bool) {
	c.updateInFlight(func(state *inFlight) { _, waits = state.Outgoing(id) })
	return waits
}

// End ends a request with that outcome, unless it has ended. It reports whether it
// did.
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
	c.updateInFlight(func(state *inFlight) { expired = state.expired(time.Now()) })
	for id, err := range expired {
		c.cancelRequest(id, err)
	}
}

// cancelRequest ends a request that nobody waits for any longer, and tells the
// server.
func (c *Conversation) cancelRequest(id uint64, cause error) {
	var request *pendingRequest
	var waited bool
	c.updateInFlight(func(state *inFlight) { request, waited = state.completeRequest(id) })
	if !waited {
		return
	}
	defer request.finish(Answer{}, cause)
	c.sender.Cancel(id, cancelNotice(id, request.request.Method, cause))
}

// cancelNotice returns the parameters of the notification that cancels a request, nil
// for a handshake, which must not be cancelled.
func cancelNotice(id uint64, method string, cause error) json.RawMessage {
	if method == domain.MethodInitialize || method == domain.MethodServerDiscover {
		return nil
	}
	reason := "the caller gave the request up"
	if _, isLimit := errors.AsType[*LimitError](cause); isLimit {
		reason = cause.Error()
	}
	return rawjson.Object{}.Uint("requestId", id).Text("reason", reason).JSON()
}
