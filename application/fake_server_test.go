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
	"mcp-workbench/tests/spec"
)

// fakeServers is a connector to servers in memory.
type fakeServers map[domain.ServerID]*fakeServer

// Connect implements ports.Connector.
func (f fakeServers) Connect(ctx context.Context, server domain.Server, host ports.Host, _ ports.ServerPolicy) (ports.Session, error) {
	fake := f[server.ID]
	fake.mu.Lock()
	fake.configured = append(fake.configured, string(server.Settings))
	fake.mu.Unlock()
	return fake.connect(ctx, host)
}

// fakeServer is a server that behaves as its fields say. They are set while nothing is
// under way.
type fakeServer struct {
	id domain.ServerID
	// startup is the time that the server takes to start; deaf says that it does not
	// notice when its caller gives up.
	startup time.Duration
	deaf    bool
	start   *ports.Start // the report during a start, nil for none
	failure error        // of starting
	list    domain.ToolList
	bare    *domain.ToolList // for hosts without capabilities, nil for the same
	listing time.Duration    // the time that a listing takes
	refusal error            // of listing
	closing time.Duration    // the time that sessions take to close unless they are killed
	// declares are its capabilities; it reports changes of its tools unless it is silent.
	declares  []string
	silent    bool
	resources map[domain.ResourceKind][]json.RawMessage
	// listTakes is the time that a list of resources takes.
	listTakes time.Duration
	prompts   fakePrompts
	// calls and requests answer; nil gives the name of the tool or method.
	calls    func(call ports.ToolCall, reply ports.Reply)
	requests func(request ports.Request, reply ports.Reply)
	// shows is called with each list of tools, unless it is nil.
	shows func(domain.ToolList)

	mu         sync.Mutex
	host       ports.Host
	hosts      []ports.Host // of all starts
	starts     int
	configured []string // the settings of all starts
	listings   int
	live       int // sessions
	maxLive    int // at any time
	sessions   []*fakeSession
}

func (f *fakeServer) connect(ctx context.Context, host ports.Host) (ports.Session, error) {
	f.mu.Lock()
	f.starts++
	f.host = host
	f.hosts = append(f.hosts, host)
	failure, start := f.failure, f.start
	f.mu.Unlock()
	if watcher, ok := host.(ports.StartWatcher); ok && start != nil {
		watcher.Starting(*start)
	}
	if err := f.wait(ctx, f.startup); err != nil && !f.deaf {
		return nil, err
	}
	if failure != nil {
		return nil, failure
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	session := &fakeSession{server: f, host: host, done: make(chan struct{}), killed: make(chan struct{}), pending: map[int]ports.Reply{}}
	f.sessions = append(f.sessions, session)
	f.live++
	f.maxLive = max(f.maxLive, f.live)
	return session, nil
}

// wait waits for a time, or until the context ends unless the server is deaf.
func (f *fakeServer) wait(ctx context.Context, span time.Duration) error {
	if f.deaf {
		time.Sleep(span)
		return ctx.Err()
	}
	select {
	case <-spec.After(span):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// offer makes the server list tools of these names.
func (f *fakeServer) offer(names ...string) {
	var tools []domain.ToolInfo
	for _, name := range names {
		tools = append(tools, domain.ToolInfo{
			Name: name, Shown: domain.ShownText(name), Definition: json.RawMessage(`{"name":"` + name + `"}`),
		})
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list.Tools = tools
}

// listed returns what the server lists.
func (f *fakeServer) listed() domain.ToolList {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list
}

// listedTo returns what the server lists to a host.
func (f *fakeServer) listedTo(host ports.Host) domain.ToolList {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := f.list
	if f.bare != nil && string(host.Capabilities()) == "{}" {
		list = *f.bare
	}
	if f.shows != nil {
		f.shows(list)
	}
	return list
}

// setListing makes listings take some time and fail, or succeed for nil.
func (f *fakeServer) setListing(span time.Duration, refusal error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listing, f.refusal = span, refusal
}

// fail makes the server refuse to start.
func (f *fakeServer) fail(reason string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failure = &domain.ServerUnavailableError{ID: f.id, Reason: errors.New(reason)}
}

// repair lets the server start again.
func (f *fakeServer) repair() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failure = nil
}

// die loses the newest session.
func (f *fakeServer) die() { f.session().lose() }

// session returns the newest session.
func (f *fakeServer) session() *fakeSession {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sessions[len(f.sessions)-1]
}

// say makes the server send a notification to the host.
func (f *fakeServer) say(kind ports.NotificationKind) {
	f.mu.Lock()
	host := f.host
	f.mu.Unlock()
	host.Notify(f.id, ports.Notification{Kind: kind})
}

func (f *fakeServer) sayToolsChanged() { f.say(ports.ToolsChanged) }

// counts returns how often the server was started and listed its tools.
func (f *fakeServer) counts() (starts, listings int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.starts, f.listings
}

// alive returns how many sessions live, and how many lived at the same time at most.
func (f *fakeServer) alive() (now, maximum int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.live, f.maxLive
}

// started returns how often the server was started.
func (f *fakeServer) started() int {
	starts, _ := f.counts()
	return starts
}

// timesListed returns how often its tools were listed.
func (f *fakeServer) timesListed() int {
	_, listings := f.counts()
	return listings
}

// living returns how many sessions it has.
func (f *fakeServer) living() int {
	now, _ := f.alive()
	return now
}

// called returns the names of the tools that were called in all sessions.
func (f *fakeServer) called() []string {
	f.mu.Lock()
	sessions := slices.Clone(f.sessions)
	f.mu.Unlock()
	var names []string
	for _, session := range sessions {
		for _, call := range session.seen().calls {
			names = append(names, call.Name)
		}
	}
	return names
}

// idleToolbox returns a toolbox whose server "db" is stopped after ten minutes.
func idleToolbox() domain.Toolbox {
	dev := toolbox("dev", "db", "files")
	dev.Servers[0].Limits.Idle = 10 * time.Minute
	return dev
}

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
	case <-spec.After(span):
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
func (s *fakeSession) ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	if s.server.listTakes > 0 {
		select {
		case <-spec.After(s.server.listTakes):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
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
	case <-spec.After(time.Until(ends)):
	case <-s.killed:
	case <-ctx.Done():
		s.killOnce.Do(func() { close(s.killed) })
	}
	s.lose()
	return nil
}
