package mcpclient

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// resourceSubscription is a subscription of the host to a resource of a server of 2026-07-28. It is a
// request of its own, so that others are not disturbed when it begins or ends. Safe for concurrent
// use.
type resourceSubscription struct {
	session *Session
	uri     string
	params  json.RawMessage
	limit   time.Duration // for the server's acknowledgment
	cancel  context.CancelFunc
	hostErr func() error // why the host's request ended, nil if it did not
	unwatch func() bool  // ends the watch on the host's request

	mu      sync.Mutex
	reply   ports.Reply // nil once the host was answered
	stopped bool        // it is no longer wanted
	refused bool        // the server does not report changes of the resource
}

// If the server refuses, the host gets the error of an older server.
var (
	cannotSubscribe = mcp.JSONRPCErrorDetails{Code: mcp.METHOD_NOT_FOUND, Message: "Method not found"}
	noUpdates       = mcp.JSONRPCErrorDetails{Code: mcp.RESOURCE_NOT_FOUND, Message: "The server does not report changes of this resource"}
)

// Subscribe implements ports.Session. At a server of 2026-07-28 it replies when the server acknowledges
// the subscription; the host then gets updates until Unsubscribe.
func (s *Session) Subscribe(ctx context.Context, asked ports.Request, reply ports.Reply) {
	if !s.handshake.modern() {
		asked.Method = string(mcp.MethodResourcesSubscribe)
		s.Request(ctx, asked, reply)
		return
	}
	if !s.Declares("resources", "subscribe") {
		reply(ports.Answer{Error: rawjson.MustMarshal(cannotSubscribe)}, nil)
		return
	}
	uri := rawjson.Text(rawjson.Member(asked.Params, "uri"))
	params := rawjson.Object{}.Raw("notifications", rawjson.MustMarshal(mcp.SubscriptionFilter{ResourceSubscriptions: []string{uri}})).JSON()
	if meta := rawjson.Member(asked.Params, "_meta"); meta != nil {
		params = rawjson.With(params, "_meta", meta)
	}
	lasting, cancel := context.WithCancel(context.Background())
	r := &resourceSubscription{
		session: s, uri: uri, params: params, limit: asked.Limit, cancel: cancel, hostErr: ctx.Err, reply: reply,
		unwatch: context.AfterFunc(ctx, cancel),
	}
	s.mu.Lock()
	s.subscriptions[uri] = append(s.subscriptions[uri], r)
	s.mu.Unlock()
	r.request(lasting, 0)
}

// Unsubscribe implements ports.Session. At a server of 2026-07-28 it ends every subscription to the
// resource.
func (s *Session) Unsubscribe(ctx context.Context, asked ports.Request, reply ports.Reply) {
	if !s.handshake.modern() {
		asked.Method = string(mcp.MethodResourcesUnsubscribe)
		s.Request(ctx, asked, reply)
		return
	}
	uri := rawjson.Text(rawjson.Member(asked.Params, "uri"))
	s.mu.Lock()
	subscriptions := s.subscriptions[uri]
	delete(s.subscriptions, uri)
	s.mu.Unlock()
	for _, r := range subscriptions {
		r.stop()
	}
	reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
}

// stop ends a subscription that is no longer wanted.
func (r *resourceSubscription) stop() {
	r.mu.Lock()
	r.stopped = true
	r.mu.Unlock()
	r.cancel()
}

// request asks the server for updates until the context ends. If the connection is cut, it asks again
// after a pause. Cuts is the number of cuts in a row.
func (r *resourceSubscription) request(ctx context.Context, cuts int) {
	begun := time.Now()
	request := Request{
		Method: mcp.MethodSubscriptionsListen, Params: r.session.withMeta(r.params, "", 0),
		Limit: r.limit, Acknowledged: r.acknowledged,
	}
	r.session.link.Request(ctx, request, func(answer Answer, err error) {
		if !r.shouldResume(answer) {
			r.finish(answer, err)
			return
		}
		r.session.resumeAfterPause(begun, cuts, func(cuts int) {
			if ctx.Err() == nil {
				r.request(ctx, cuts)
			}
		})
	})
}

// acknowledged handles the server's acknowledgment, which says what it will report.
func (r *resourceSubscription) acknowledged(params json.RawMessage) {
	var granted mcp.SubscriptionFilter
	// A filter of another shape grants nothing.
	_ = json.Unmarshal(rawjson.Member(params, "notifications"), &granted)
	reply, active := r.acknowledge(slices.Contains(granted.ResourceSubscriptions, r.uri))
	if !active {
		return
	}
	r.session.stopBefore(r)
	if reply != nil {
		reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
		return
	}
	// Changes while the connection was cut were not reported.
	updated := rawjson.Object{}.Text("uri", r.uri).JSON()
	r.session.messages.notify(mcp.MethodNotificationResourceUpdated, updated)
}

// acknowledge returns whether the subscription is active now, and the reply to the host, nil if the
// host was already answered.
func (r *resourceSubscription) acknowledge(granted bool) (reply ports.Reply, active bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.stopped:
		return nil, false
	case !granted:
		r.refused, r.stopped = true, true
		r.cancel()
		return nil, false
	case r.reply != nil && !r.unwatch():
		return nil, false // the host has just cancelled it
	}
	reply, r.reply = r.reply, nil
	return reply, true
}

// stopBefore stops the subscriptions to the same resource that began before r. They were needed until r
// was acknowledged.
func (s *Session) stopBefore(r *resourceSubscription) {
	s.mu.Lock()
	subscriptions := s.subscriptions[r.uri]
	i := slices.Index(subscriptions, r)
	if i > 0 {
		s.subscriptions[r.uri] = slices.Clone(subscriptions[i:])
	}
	s.mu.Unlock()
	for _, earlier := range subscriptions[:max(0, i)] {
		earlier.stop()
	}
}

// shouldResume reports whether a subscription that ended is renewed: it was acknowledged, it is still
// wanted, and the server did not refuse it. A clean end, such as that of a restart, is not a refusal.
func (r *resourceSubscription) shouldResume(answer Answer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reply == nil && !r.stopped && answer.Error == nil && r.session.link.Err() == nil
}

// finish removes a subscription that ended, and tells the host why if it still waits.
func (r *resourceSubscription) finish(answer Answer, err error) {
	s := r.session
	s.mu.Lock()
	s.subscriptions[r.uri] = slices.DeleteFunc(s.subscriptions[r.uri], func(other *resourceSubscription) bool { return other == r })
	if len(s.subscriptions[r.uri]) == 0 {
		delete(s.subscriptions, r.uri)
	}
	s.mu.Unlock()
	r.mu.Lock()
	reply, stopped, refused := r.reply, r.stopped, r.refused
	r.reply, r.stopped = nil, true
	r.mu.Unlock()
	r.cancel()
	if reply == nil {
		if refused || answer.Error != nil {
			s.messages.log.Warn("the server no longer reports changes of a resource that the host subscribed to")
		}
		return
	}
	r.unwatch()
	hostErr := r.hostErr()
	switch {
	case refused:
		reply(ports.Answer{Error: rawjson.MustMarshal(noUpdates)}, nil)
	case stopped: // the host unsubscribed before it was answered, or subscribed once more
		reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
	case hostErr != nil:
		reply(ports.Answer{}, hostErr)
	case err == nil && answer.Error == nil: // it ended without being acknowledged
		reply(ports.Answer{Error: rawjson.MustMarshal(noUpdates)}, nil)
	default:
		reply(s.answer(context.Background(), answer, err))
	}
}
