package sessions_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

// fakeServer is a server that behaves as its fields say. They are set while nothing is under
// way.
type fakeServer struct {
	id       domain.ServerID
	startup  time.Duration // how long it takes to start
	closing  time.Duration // how long its sessions take to close
	failure  error         // of starting
	declares []string
	// calls and requests answer; nil answers at once.
	calls    func(reply ports.Reply)
	requests func(request ports.Request, reply ports.Reply)

	mu       sync.Mutex
	tools    []string
	refusal  error // of listing
	host     ports.Host
	starts   int
	listings int
	live     int // sessions
	maxLive  int // at any time
	newest   *fakeSession
}

func (s *fakeServer) connect(ctx context.Context, host ports.Host) (ports.Session, error) {
	s.mu.Lock()
	s.starts++
	s.mu.Unlock()
	select {
	case <-spec.After(s.startup):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s.failure != nil {
		return nil, s.failure
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host, s.newest = host, &fakeSession{server: s, done: make(chan struct{})}
	s.live++
	s.maxLive = max(s.maxLive, s.live)
	return s.newest, nil
}

// fail makes the server refuse to start.
func (s *fakeServer) fail(reason string) {
	s.failure = &domain.ServerUnavailableError{ID: s.id, Reason: errors.New(reason)}
}

// offer makes the server list these tools, or refuse to list any.
func (s *fakeServer) offer(refusal error, tools ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools, s.refusal = tools, refusal
}

// reportChange has the server report that its tools changed.
func (s *fakeServer) reportChange() {
	s.host.Notify(s.id, ports.Notification{Kind: ports.ToolsChanged})
}

// die loses the newest session.
func (s *fakeServer) die() { s.newest.lose() }

// counts returns how often the server was started and listed its tools, and how many of its sessions
// are live.
func (s *fakeServer) counts() (starts, listings, live int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.starts, s.listings, s.live
}

// countStarts returns how often a server was started.
func countStarts(server *fakeServer) int {
	count, _, _ := server.counts()
	return count
}

// countLive returns how many sessions of a server are live.
func countLive(server *fakeServer) int {
	synctest.Wait()
	_, _, count := server.counts()
	return count
}

// fakeSession is a session of a fake server.
type fakeSession struct {
	ports.Session // for the methods that no spec uses
	server        *fakeServer
	done          chan struct{}
	losing        sync.Once

	mu       sync.Mutex
	requests []string // the methods of the requests
}

// lose ends the session.
func (s *fakeSession) lose() {
	s.losing.Do(func() {
		s.server.mu.Lock()
		s.server.live--
		s.server.mu.Unlock()
		close(s.done)
	})
}

func (s *fakeSession) ListTools(context.Context) (domain.ToolList, error) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.listings++
	var list domain.ToolList
	for _, name := range s.server.tools {
		list.Tools = append(list.Tools, tool(name, name))
	}
	return list, s.server.refusal
}

// tool returns a tool whose definition has that description.
func tool(name, description string) domain.ToolInfo {
	return domain.ToolInfo{Name: name, Shown: domain.ShownText(name), Definition: json.RawMessage(`{"description":"` + description + `"}`)}
}

func (s *fakeSession) CallTool(_ context.Context, _ ports.ToolCall, reply ports.Reply) {
	if s.server.calls != nil {
		s.server.calls(reply)
		return
	}
	reply(ports.Answer{Result: json.RawMessage(`{}`)}, s.Err())
}

func (s *fakeSession) Request(_ context.Context, request ports.Request, reply ports.Reply) {
	s.mu.Lock()
	s.requests = append(s.requests, request.Method)
	s.mu.Unlock()
	if s.server.requests != nil {
		s.server.requests(request, reply)
		return
	}
	reply(ports.Answer{Result: json.RawMessage(`{}`)}, nil)
}

func (s *fakeSession) Ping(ctx context.Context, limit time.Duration, reply func(error)) {
	ping := ports.Request{Message: ports.Message{Method: "ping"}, Limit: limit}
	s.Request(ctx, ping, func(_ ports.Answer, err error) { reply(err) })
}

// requested returns the number of requests with that method.
func (s *fakeSession) requested(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(slices.DeleteFunc(slices.Clone(s.requests), func(m string) bool { return m != method }))
}

func (s *fakeSession) Declares(capability ...string) bool {
	return slices.Contains(s.server.declares, strings.Join(capability, "."))
}

func (s *fakeSession) Done() <-chan struct{} { return s.done }

func (s *fakeSession) Err() error {
	select {
	case <-s.done:
		return &domain.ServerUnavailableError{ID: s.server.id, Reason: errors.New("it is gone")}
	default:
		return nil
	}
}

func (s *fakeSession) Close(ctx context.Context) error {
	select {
	case <-spec.After(s.server.closing):
	case <-ctx.Done():
	case <-s.done:
	}
	s.lose()
	return nil
}
