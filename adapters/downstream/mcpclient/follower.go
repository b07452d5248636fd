package mcpclient

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"mcp-workbench/domain"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// follower is one subscription of the host's to one resource of a server of
// 2026-07-28. It is a request of its own, so that no other one is disturbed when it
// begins or ends.
type follower struct {
	session *Session
	uri     string
	params  json.RawMessage
	limit   time.Duration // within which the server acknowledges it
	end     context.CancelFunc
	// While the host waits, the subscription belongs to its request: gone says why
	// that ended, detach ends the watch on it.
	gone   func() error
	detach func() bool

	// Under the lock of the session:
	reply   ports.Reply // nil once the host was answered
	isOver  bool        // nobody wants it any longer
	refused bool        // the server does not tell of that resource
}

// Where the server refuses, the host gets what it would from an older server.
var (
	cannotSubscribe = json.RawMessage(`{"code":-32601,"message":"Method not found"}`)
	cannotFollow    = json.RawMessage(`{"code":-32002,"message":"The server does not tell of changes of this resource"}`)
)

// follow subscribes to a resource in the way of 2026-07-28. The host is answered
// when the server acknowledges it, and then hears of the resource until unfollow.
func (s *Session) follow(ctx context.Context, asked ports.Request, reply ports.Reply) {
	if !s.Declares("resources", "subscribe") {
		reply(ports.Answer{Error: cannotSubscribe}, nil)
		return
	}
	uri := jsonscan.Text(jsonscan.Member(asked.Params, "uri"))
	params := jsonscan.With(nil, "notifications", mustMarshal(mcp.SubscriptionFilter{ResourceSubscriptions: []string{uri}}))
	if meta := jsonscan.Member(asked.Params, "_meta"); meta != nil {
		params = jsonscan.With(params, "_meta", meta)
	}
	lasting, end := context.WithCancel(context.Background())
	f := &follower{session: s, uri: uri, params: params, limit: asked.Limit, end: end, gone: ctx.Err, reply: reply}
	s.mu.Lock()
	s.followers[uri] = append(s.followers[uri], f)
	s.mu.Unlock()
	f.detach = context.AfterFunc(ctx, end)
	f.begin(lasting, firstListenPause)
}

// unfollow ends every subscription to a resource.
func (s *Session) unfollow(asked ports.Request, reply ports.Reply) {
	uri := jsonscan.Text(jsonscan.Member(asked.Params, "uri"))
	s.mu.Lock()
	for _, f := range s.followers[uri] {
		f.giveUp()
	}
	delete(s.followers, uri)
	s.mu.Unlock()
	reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
}

// giveUp ends the subscription. The lock of the session is held.
func (f *follower) giveUp() {
	f.isOver = true
	f.end()
}

func (f *follower) begin(ctx context.Context, pause time.Duration) {
	begun := time.Now()
	request := Request{
		Method: domain.MethodSubscriptionsListen, Params: f.session.withMeta(f.params),
		Limit: f.limit, Acknowledged: f.acknowledged,
	}
	f.session.link.Request(ctx, request, func(answer Answer, err error) {
		if !f.goesOn(answer) {
			f.close(answer, err)
			return
		}
		f.session.afterPause(begun, pause, func(next time.Duration) {
			if ctx.Err() == nil {
				f.begin(ctx, next)
			}
		})
	})
}

// acknowledged takes the server's word that it tells of what follows.
func (f *follower) acknowledged(params json.RawMessage) {
	var granted mcp.SubscriptionFilter
	// A filter of another shape grants nothing.
	_ = json.Unmarshal(jsonscan.Member(params, "notifications"), &granted)
	reply, stands := f.stand(slices.Contains(granted.ResourceSubscriptions, f.uri))
	switch {
	case !stands:
	case reply != nil:
		reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
	default:
		// What changed while the connection was cut was told to nobody.
		params := append(jsonscan.AppendQuote([]byte(`{"uri":`), f.uri), '}')
		f.session.messages.notify(ports.Message{Method: domain.MethodNotificationResourceUpdated, Params: params})
	}
}

// stand reports whether the subscription stands, and returns the reply that the host
// waits for, nil if it does not. Those before it have been needed until now.
func (f *follower) stand(granted bool) (reply ports.Reply, stands bool) {
	s := f.session
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case f.isOver:
		return nil, false
	case !granted:
		f.refused = true
		f.giveUp()
		return nil, false
	case f.reply != nil && !f.detach():
		return nil, false // the host has just given it up
	}
	i := slices.Index(s.followers[f.uri], f)
	for _, earlier := range s.followers[f.uri][:i] {
		earlier.giveUp()
	}
	s.followers[f.uri] = slices.Clone(s.followers[f.uri][i:])
	reply, f.reply = f.reply, nil
	return reply, true
}

// goesOn reports whether a subscription that ended begins again: it stood, somebody
// wants it, and the server did not refuse it. A server that ended it in order, as
// when it is restarted, did not.
func (f *follower) goesOn(answer Answer) bool {
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	return f.reply == nil && !f.isOver && answer.Error == nil && !f.session.isLost()
}

// close forgets a subscription that ended, and tells the host why if it waits.
func (f *follower) close(answer Answer, err error) {
	s := f.session
	s.mu.Lock()
	s.followers[f.uri] = slices.DeleteFunc(s.followers[f.uri], func(other *follower) bool { return other == f })
	if len(s.followers[f.uri]) == 0 {
		delete(s.followers, f.uri)
	}
	reply, isOver, refused := f.reply, f.isOver, f.refused
	f.reply, f.isOver = nil, true
	s.mu.Unlock()
	f.end()
	if reply == nil {
		if refused || answer.Error != nil {
			s.messages.log.Warn("the server tells no longer of a resource that the host follows")
		}
		return
	}
	f.detach()
	gone := f.gone()
	switch {
	case refused:
		reply(ports.Answer{Error: cannotFollow}, nil)
	case isOver: // the host unsubscribed before it was answered, or subscribed once more
		reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
	case gone != nil:
		reply(ports.Answer{}, gone)
	case err == nil && answer.Error == nil: // it ended without being acknowledged
		reply(ports.Answer{Error: cannotFollow}, nil)
	default:
		reply(s.answer(context.Background(), answer, err))
	}
}
