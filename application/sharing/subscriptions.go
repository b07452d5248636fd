package sharing

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// subscriptions are the subscriptions of members to resources of a server. The server gets a
// request for the first subscription to each resource and for the end of the last one. There is
// one request about a resource at a time, so that they arrive in order. Safe for concurrent use.
type subscriptions struct {
	server   func() ports.Session // the session with the server
	inFlight *shares.Budget       // of requests of all members
	limit    time.Duration        // on requests that no member waits for

	mu     sync.Mutex // guards topics and their fields
	topics map[string]*topic
}

// topic is one resource and the members that want its updates.
type topic struct {
	uri        string
	asked      ports.Request   // the request to subscribe at the server
	by         string          // the share of the member that joined or left last
	members    map[*member]int // how many requests to subscribe of each were accepted
	joining    []*request      // unanswered requests to subscribe
	leaving    []*request      // unanswered requests to unsubscribe that the server is to answer
	subscribed bool            // the server accepted a subscription
	pending    bool            // a request is under way
}

func newSubscriptions(server func() ports.Session, inFlight *shares.Budget, limit time.Duration) *subscriptions {
	return &subscriptions{server: server, inFlight: inFlight, limit: limit, topics: map[string]*topic{}}
}

// done is the answer of a server to an accepted request to subscribe or unsubscribe.
var done = ports.Answer{Result: json.RawMessage("{}")}

// add answers a request to subscribe once the server has answered.
func (s *subscriptions) add(r *request, asked ports.Request) {
	uri := text(asked.Params, "uri")
	s.mu.Lock()
	t := s.topics[uri]
	if t == nil {
		t = &topic{uri: uri, members: map[*member]int{}}
		s.topics[uri] = t
	}
	if !t.subscribed {
		t.asked = ports.Request{Message: asked.Message, Limit: asked.Limit, TotalLimit: asked.TotalLimit}
		t.asked.Params = bytes.Clone(asked.Params)
	}
	t.joining, t.by = append(t.joining, r), r.member.name
	needed, joined := s.nextLocked(t)
	s.mu.Unlock()
	s.carryOut(t, needed, joined)
}

// remove answers a request to unsubscribe. The server is told if the last member unsubscribes.
func (s *subscriptions) remove(r *request, asked ports.Request) {
	uri := text(asked.Params, "uri")
	s.mu.Lock()
	t := s.topics[uri]
	if t == nil {
		s.mu.Unlock()
		r.finish(done, nil)
		return
	}
	answered := s.forgetLocked(t, r.member)
	needed, joined := s.nextLocked(t)
	if needed.kind == unsubscribing {
		t.leaving = append(t.leaving, r)
	} else {
		answered = append(answered, r)
	}
	s.mu.Unlock()
	for _, request := range answered {
		request.finish(done, nil)
	}
	s.carryOut(t, needed, joined)
}

// forgetLocked removes a member from a topic. It returns its unanswered requests to subscribe.
func (s *subscriptions) forgetLocked(t *topic, m *member) []*request {
	if t.members[m] > 0 {
		t.by = m.name
	}
	delete(t.members, m)
	var own, others []*request
	for _, r := range t.joining {
		if r.member == m {
			own = append(own, r)
		} else {
			others = append(others, r)
		}
	}
	t.joining = others
	return own
}

// leave ends the subscriptions of a member, whose requests have ended.
func (s *subscriptions) leave(m *member) {
	s.mu.Lock()
	topics := slices.Collect(maps.Values(s.topics))
	for _, t := range topics {
		s.forgetLocked(t, m)
	}
	s.mu.Unlock()
	for _, t := range topics {
		s.advance(t)
	}
}

// advance makes the next request about a topic, if one is needed.
func (s *subscriptions) advance(t *topic) {
	s.mu.Lock()
	needed, joined := s.nextLocked(t)
	s.mu.Unlock()
	s.carryOut(t, needed, joined)
}

// carryOut does what nextLocked returned.
func (s *subscriptions) carryOut(t *topic, needed step, joined []*request) {
	s.admit(t, joined)
	var request func(ports.Session, context.Context, ports.Request, ports.Reply)
	var answered func(*topic, ports.Answer, error)
	switch needed.kind {
	case nothing:
		return
	case subscribing:
		request, answered = ports.Session.Subscribe, s.subscribed
	case unsubscribing:
		request, answered = ports.Session.Unsubscribe, s.unsubscribed
	}
	// It counts until the server has answered, even if no member waits any more.
	ctx, cancel := context.WithCancelCause(context.Background())
	share, ok := s.inFlight.Begin(needed.by, 1, func() { cancel(errShare) })
	if !ok {
		cancel(errShare)
		answered(t, ports.Answer{}, errShare)
		return
	}
	request(s.server(), ctx, needed.asked, func(answer ports.Answer, err error) {
		share.End()
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		answered(t, answer, err)
		cancel(nil)
	})
}

// step is the next request to the server about a topic. It counts in the share named by.
type step struct {
	kind  stepKind
	asked ports.Request
	by    string
}

type stepKind int

const (
	nothing stepKind = iota
	subscribing
	unsubscribing
)

// nextLocked returns what the server has to be asked now, and the requests to subscribe that can be
// answered without asking it. It is called before the lock is released after each change of the topic, so that no
// other change can make the request needless that a member waits for.
func (s *subscriptions) nextLocked(t *topic) (needed step, joined []*request) {
	switch {
	case t.pending:
	case len(t.joining) > 0 && t.subscribed:
		joined = s.joinLocked(t)
	case len(t.joining) > 0:
		t.pending = true
		needed = step{kind: subscribing, asked: t.asked, by: t.by}
	case len(t.members) == 0 && t.subscribed:
		t.subscribed, t.pending = false, true
		params := rawjson.Object{}.Text("uri", t.uri).JSON()
		needed = step{kind: unsubscribing, asked: ports.Request{Message: ports.Message{Params: params}, Limit: s.limit}, by: t.by}
	case len(t.members) == 0 && s.topics[t.uri] == t:
		delete(s.topics, t.uri)
	}
	return needed, joined
}

// joinLocked subscribes the members that wait to join, and returns their requests.
func (s *subscriptions) joinLocked(t *topic) (joined []*request) {
	for _, r := range t.joining {
		if r.waits() {
			t.members[r.member]++
			joined = append(joined, r)
		}
	}
	t.joining = nil
	return joined
}

// subscribed takes the server's answer to the request to subscribe to a topic.
func (s *subscriptions) subscribed(t *topic, answer ports.Answer, err error) {
	s.mu.Lock()
	t.pending = false
	var joined, refused []*request
	if err == nil && answer.Error == nil {
		t.subscribed = true
		joined = s.joinLocked(t)
	} else {
		refused, t.joining = t.joining, nil
	}
	s.mu.Unlock()
	s.admit(t, joined)
	for _, r := range refused {
		r.finish(answer, err)
	}
	s.advance(t)
}

// unsubscribed takes the server's answer to the request to unsubscribe from a topic.
func (s *subscriptions) unsubscribed(t *topic, answer ports.Answer, err error) {
	s.mu.Lock()
	t.pending = false
	var ended []*request
	ended, t.leaving = t.leaving, nil
	s.mu.Unlock()
	for _, r := range ended {
		r.finish(answer, err)
	}
	s.advance(t)
}

// admit answers requests to join a topic. A request that was cancelled meanwhile does not count; an earlier one of
// its member still does.
func (s *subscriptions) admit(t *topic, joined []*request) {
	for _, r := range joined {
		if r.finish(done, nil) {
			continue
		}
		s.mu.Lock()
		if t.members[r.member]--; t.members[r.member] <= 0 {
			delete(t.members, r.member)
		}
		s.mu.Unlock()
		defer s.advance(t)
	}
}

// subscribers returns the members that are subscribed to a resource, or to one that contains it.
func (s *subscriptions) subscribers(uri string) []*member {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[*member]struct{}{}
	for _, t := range s.topics {
		if domain.ResourceContains(t.uri, uri) {
			for m := range t.members {
				found[m] = struct{}{}
			}
		}
	}
	return slices.Collect(maps.Keys(found))
}
