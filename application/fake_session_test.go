package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakeSession is a session of a fake server.
type fakeSession struct {
	server *fakeServer
	host   ports.Host
	done   chan struct{}
	// killed is closed when the server did not end in time.
	killed   chan struct{}
	killOnce sync.Once

	mu      sync.Mutex
	lost    bool
	pending map[int]ports.Reply
	last    int
	ends    time.Time // when its server ends, once it was told to
	seenSoFar
}

// seenSoFar records the calls and requests of a session.
type seenSoFar struct {
	calls        []ports.ToolCall
	requests     []ports.Request
	rootsChanged int // how often it was told
	logLevels    []string
	closes       int
}

func (s *fakeSession) seen() seenSoFar {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seenSoFar
	seen.calls, seen.requests = slices.Clone(seen.calls), slices.Clone(seen.requests)
	seen.logLevels = slices.Clone(seen.logLevels)
	return seen
}

// lose ends the session and everything that waits for it.
func (s *fakeSession) lose() {
	s.mu.Lock()
	if s.lost {
		s.mu.Unlock()
		return
	}
	s.lost = true
	waiting := s.pending
	s.pending = map[int]ports.Reply{}
	s.mu.Unlock()
	s.server.mu.Lock()
	s.server.live--
	s.server.mu.Unlock()
	close(s.done)
	for _, reply := range waiting {
		reply(ports.Answer{}, s.gone())
	}
}

func (s *fakeSession) gone() error {
	return &domain.ServerUnavailableError{ID: s.server.id, Reason: errors.New("it is gone")}
}

// await returns a reply that is passed on once: when it is called, when the context
// ends or when the session ends.
func (s *fakeSession) await(ctx context.Context, reply ports.Reply) ports.Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	key := s.last
	take := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, ok := s.pending[key]
		delete(s.pending, key)
		return ok
	}
	stop := context.AfterFunc(ctx, func() {
		if take() {
			reply(ports.Answer{}, ctx.Err())
		}
	})
	s.pending[key] = reply
	return func(answer ports.Answer, err error) {
		if take() {
			stop()
			reply(answer, err)
		}
	}
}

// ListTools implements ports.Session.
func (s *fakeSession) ListTools(ctx context.Context) (domain.ToolList, error) {
	s.server.mu.Lock()
	s.server.listings++
	span, refusal := s.server.listing, s.server.refusal
	s.server.mu.Unlock()
	abandoned := ctx.Done()
	if s.server.deaf {
		abandoned = nil
	}
	select {
	case <-time.After(span):
	case <-s.done:
		return domain.ToolList{}, s.gone()
	case <-abandoned:
		return domain.ToolList{}, ctx.Err()
	}
	select {
	case <-s.done: // if both happen at the same time, the session counts as lost
		return domain.ToolList{}, s.gone()
	default:
	}
	if refusal != nil {
		return domain.ToolList{}, refusal
	}
	return s.server.listedTo(s.host), nil
}

// ListResources implements ports.Session.
func (s *fakeSession) ListResources(_ context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	if s.server.refusal != nil {
		return nil, s.server.refusal
	}
	var resources []domain.Resource
	for _, definition := range s.server.resources[kind] {
		var named struct{ URI string }
		if err := json.Unmarshal(definition, &named); err != nil {
			return nil, err
		}
		resources = append(resources, domain.Resource{Server: s.server.id, URI: named.URI, Definition: definition})
	}
	return resources, nil
}

// ListPrompts implements ports.Session.
func (s *fakeSession) ListPrompts(ctx context.Context) (domain.PromptList, error) {
	return s.server.prompts.list(ctx, s)
}

// CallTool implements ports.Session.
func (s *fakeSession) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	s.mu.Lock()
	s.calls = append(s.calls, call)
	lost := s.lost
	s.mu.Unlock()
	switch {
	case lost:
		reply(ports.Answer{}, s.gone())
	case s.server.calls != nil:
		s.server.calls(call, s.await(ctx, reply))
	default:
		reply(ports.Answer{Result: json.RawMessage(`"` + call.Name + `"`)}, nil)
	}
}

// Request implements ports.Session.
func (s *fakeSession) Request(ctx context.Context, request ports.Request, reply ports.Reply) {
	s.mu.Lock()
	s.requests = append(s.requests, request)
	s.mu.Unlock()
	if s.server.requests != nil {
		s.server.requests(request, s.await(ctx, reply))
		return
	}
	reply(ports.Answer{Result: json.RawMessage(`"` + request.Method + `"`)}, nil)
}

// Subscribe implements ports.Session.
func (s *fakeSession) Subscribe(ctx context.Context, request ports.Request, reply ports.Reply) {
	request.Method = "subscribe"
	s.Request(ctx, request, reply)
}

// Unsubscribe implements ports.Session.
func (s *fakeSession) Unsubscribe(ctx context.Context, request ports.Request, reply ports.Reply) {
	request.Method = "unsubscribe"
	s.Request(ctx, request, reply)
}

// Ping implements ports.Session.
func (s *fakeSession) Ping(ctx context.Context, limit time.Duration, reply func(error)) {
	ping := ports.Request{Message: ports.Message{Method: "ping"}, Limit: limit}
	s.Request(ctx, ping, func(_ ports.Answer, err error) { reply(err) })
}

// AnnounceRootsChanged implements ports.Session.
func (s *fakeSession) AnnounceRootsChanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rootsChanged++
}

// SetLogLevel implements ports.Session.
func (s *fakeSession) SetLogLevel(level string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logLevels = append(s.logLevels, level)
}

// Declares implements ports.Session.
func (s *fakeSession) Declares(capability ...string) bool {
	path := strings.Join(capability, ".")
	return path == "tools.listChanged" && !s.server.silent || slices.Contains(s.server.declares, path)
}

// Done implements ports.Session.
func (s *fakeSession) Done() <-chan struct{} { return s.done }

// Err implements ports.Session.
func (s *fakeSession) Err() error {
	select {
	case <-s.done:
		return s.gone()
	default:
		return nil
	}
}

// Close implements ports.Session.
func (s *fakeSession) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closes++
	if s.closes == 1 {
		s.ends = time.Now().Add(s.server.closing)
	}
	ends := s.ends
	s.mu.Unlock()
	select {
	case <-time.After(time.Until(ends)):
	case <-s.killed:
	case <-ctx.Done():
		s.killOnce.Do(func() { close(s.killed) })
	}
	s.lose()
	return nil
}
