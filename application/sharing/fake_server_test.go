package sharing_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

var files = domain.ServerID{Toolbox: "dev", Server: "files"}

// sharedServer returns a server that is shared, with these settings.
func sharedServer(settings string) domain.Server {
	limits := domain.DefaultLimits()
	limits.Connect, limits.Shutdown, limits.Call = 10*time.Second, 5*time.Second, time.Minute
	return domain.Server{ID: files, Settings: json.RawMessage(settings), Shared: true, Limits: limits}
}

// fakeConnector makes sessions that the spec controls.
type fakeConnector struct {
	mu       sync.Mutex    // guards the fields below
	starting chan struct{} // attempts wait until this is closed, nil for no wait
	closing  chan struct{} // Close waits until this is closed, nil for no wait
	err      error         // failure of attempts
	late     bool          // attempts do not end with their contexts
	sessions []*fakeSession
	policies []ports.ServerPolicy
	attempts int
	live     int // attempts and sessions that have not ended
	maxLive  int
}

func (c *fakeConnector) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	c.mu.Lock()
	c.policies = append(c.policies, policy)
	c.attempts++
	c.live++
	c.maxLive = max(c.maxLive, c.live)
	starting, late := c.starting, c.late
	c.mu.Unlock()
	if watcher, ok := host.(ports.StartWatcher); ok {
		watcher.Starting(ports.Start{Installing: string(server.ID.Server)})
	}
	ended := ctx.Done()
	if late {
		ended = nil
	}
	if starting != nil {
		select {
		case <-starting:
		case <-ended:
			c.end()
			return nil, ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		c.live--
		return nil, c.err
	}
	session := &fakeSession{connector: c, server: server, host: host, done: make(chan struct{})}
	c.sessions = append(c.sessions, session)
	return session, nil
}

func (c *fakeConnector) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live--
}

func (c *fakeConnector) seen() (attempts, live, maxLive int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.attempts, c.live, c.maxLive
}

func (c *fakeConnector) session(i int) *fakeSession {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sessions[i]
}

// fakeRequest is a request that a session got.
type fakeRequest struct {
	ctx      context.Context //nolint:containedctx // specs check it
	method   string
	params   string
	level    string
	progress func(ports.Progress)
	reply    ports.Reply
	ended    atomic.Bool
}

// answered reports whether the request has ended.
func (r *fakeRequest) answered() bool { return r.ended.Load() }

type fakeSession struct {
	ports.Session // for the methods that no spec uses
	connector     *fakeConnector
	server        domain.Server
	host          ports.Host
	done          chan struct{}
	tools         domain.ToolList // the tools that it lists
	// reportsNothing says that it does not report changes of its lists.
	reportsNothing bool
	// answersAtOnce says that it answers requests before they return.
	answersAtOnce bool

	mu       sync.Mutex // guards the fields below
	listed   int        // how often it listed its tools
	requests []*fakeRequest
	levels   []string
	err      error
	closed   bool
}

func (s *fakeSession) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	s.add(&fakeRequest{ctx: ctx, method: "tools/call", params: string(call.Arguments), level: call.LogLevel, progress: call.Progress, reply: reply})
}

func (s *fakeSession) Request(ctx context.Context, asked ports.Request, reply ports.Reply) {
	s.add(&fakeRequest{ctx: ctx, method: asked.Method, params: string(asked.Params), level: asked.LogLevel, progress: asked.Progress, reply: reply})
}

func (s *fakeSession) Subscribe(ctx context.Context, asked ports.Request, reply ports.Reply) {
	asked.Method = subscribe
	s.Request(ctx, asked, reply)
}

func (s *fakeSession) Unsubscribe(ctx context.Context, asked ports.Request, reply ports.Reply) {
	asked.Method = unsubscribe
	s.Request(ctx, asked, reply)
}

func (s *fakeSession) Ping(ctx context.Context, _ time.Duration, reply func(error)) {
	s.Request(ctx, ports.Request{Message: ports.Message{Method: ping}}, func(_ ports.Answer, err error) { reply(err) })
}

func (s *fakeSession) add(r *fakeRequest) {
	var once sync.Once
	reply := r.reply
	r.reply = func(answer ports.Answer, err error) {
		once.Do(func() {
			r.ended.Store(true)
			reply(answer, err)
		})
	}
	if s.answersAtOnce {
		r.reply(ports.Answer{Result: json.RawMessage("{}")}, nil)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	context.AfterFunc(r.ctx, func() { r.reply(ports.Answer{}, r.ctx.Err()) })
}

func (s *fakeSession) ListTools(ctx context.Context) (domain.ToolList, error) {
	select {
	case <-s.done:
		return domain.ToolList{}, s.err
	case <-ctx.Done():
		return domain.ToolList{}, ctx.Err()
	case <-time.After(time.Second):
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed++
	list := s.tools
	list.Tools = slices.Clone(list.Tools) // each answer of a real server has a slice of its own
	return list, nil
}

// listings returns how often the server listed its tools.
func (s *fakeSession) listings() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed
}

func (s *fakeSession) SetLogLevel(level string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.levels = append(s.levels, level)
}

func (s *fakeSession) Declares(...string) bool { return !s.reportsNothing }
func (s *fakeSession) Done() <-chan struct{}   { return s.done }

func (s *fakeSession) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *fakeSession) Close(context.Context) error {
	s.connector.mu.Lock()
	closing := s.connector.closing
	s.connector.mu.Unlock()
	if closing != nil {
		<-closing
	}
	s.lose("closed")
	return nil
}

// lose ends the session for a reason, and everything that waits for it.
func (s *fakeSession) lose(reason string) {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	if first {
		s.err = &domain.ServerUnavailableError{ID: files, Reason: errors.New(reason)}
		s.connector.end()
		close(s.done)
	}
	requests := slices.Clone(s.requests)
	s.mu.Unlock()
	for _, r := range requests {
		r.reply(ports.Answer{}, s.Err())
	}
}

// requestsFor returns the requests of a method.
func (s *fakeSession) requestsFor(method string) []*fakeRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(r *fakeRequest) bool { return r.method != method })
}

// heard returns the log levels that the server was told.
func (s *fakeSession) heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.levels)
}

// says makes the server send a notification.
func (s *fakeSession) says(kind ports.NotificationKind, params string) {
	bytes := []byte(params)
	about := rawjson.Text(rawjson.Member(bytes, map[ports.NotificationKind]string{ports.ResourceUpdated: "uri", ports.TaskStatus: "taskId"}[kind]))
	s.host.Notify(files, ports.Notification{Kind: kind, Subject: about, Params: bytes})
	clear(bytes)
}

// answers answers a request with a result.
func (r *fakeRequest) answers(result string) {
	bytes := []byte(result)
	r.reply(ports.Answer{Result: bytes}, nil)
	clear(bytes)
}
