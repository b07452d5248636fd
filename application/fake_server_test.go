package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
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
	case <-time.After(span):
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

// countStarts returns how often a server was started.
func countStarts(server *fakeServer) int {
	count, _ := server.counts()
	return count
}

// idleToolbox returns a toolbox whose server "db" is stopped after ten minutes.
func idleToolbox() domain.Toolbox {
	dev := toolbox("dev", "db", "files")
	dev.Servers[0].Limits.Idle = 10 * time.Minute
	return dev
}

// countLive returns how many sessions of a server live.
func countLive(server *fakeServer) int {
	now, _ := server.alive()
	return now
}
