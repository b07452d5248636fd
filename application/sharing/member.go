package sharing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// member is the session as one host has it. Safe for concurrent use.
type member struct {
	session  *session
	name     string // of its share
	host     ports.Host
	inbox    inbox
	lifetime context.Context //nolint:containedctx // ends when the member leaves or the session is lost
	end      func(err error) // ends lifetime; the first error is its cause

	mu       sync.Mutex // guards the fields below
	requests map[*request]struct{}
	left     bool
	tasks    domain.Recent[string, struct{}] // ids of the tasks that the server made of the member's calls
}

var _ ports.Session = (*member)(nil)

func newMember(s *session, host ports.Host) *member {
	lifetime, end := context.WithCancelCause(context.Background())
	m := &member{session: s, host: host, lifetime: lifetime, end: end, requests: map[*request]struct{}{}}
	m.name = fmt.Sprintf("%p", m)
	return m
}

// ListTools implements ports.Session.
func (m *member) ListTools(ctx context.Context) (domain.ToolList, error) {
	return listing(ctx, m, m.session.listTools)
}

// ListResources implements ports.Session.
func (m *member) ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	return listing(ctx, m, func(ctx context.Context) ([]domain.Resource, error) { return m.session.next.ListResources(ctx, kind) })
}

// ListPrompts implements ports.Session.
func (m *member) ListPrompts(ctx context.Context) (domain.PromptList, error) {
	return listing(ctx, m, m.session.next.ListPrompts)
}

// listing makes a listing for a member. The listing ends when the member leaves the session.
func listing[T any](ctx context.Context, m *member, ask func(context.Context) (T, error)) (listed T, err error) {
	if err := m.Err(); err != nil {
		return listed, err
	}
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(m.lifetime, cancel)()
	listed, err = ask(bounded)
	if err != nil {
		m.session.noticeLoss()
		if ended := m.Err(); ended != nil && ctx.Err() == nil {
			return listed, ended
		}
	}
	return listed, err
}

// CallTool implements ports.Session.
func (m *member) CallTool(ctx context.Context, call ports.ToolCall, reply ports.Reply) {
	r, ctx := m.begin(ctx, reply)
	if r == nil || !m.count(r) {
		return
	}
	call.Progress = m.passing(call.Progress)
	m.session.levels.begin(r, call.LogLevel)
	call.LogLevel = ""
	m.session.next.CallTool(ctx, call, r.answered)
}

// Request implements ports.Session.
func (m *member) Request(ctx context.Context, asked ports.Request, reply ports.Reply) {
	if asked.Task != "" && !m.hasTask(asked.Task) {
		reply(ports.Answer{}, domain.ErrTaskNotFound)
		return
	}
	r, bounded := m.begin(ctx, reply)
	if r == nil || !m.count(r) {
		return
	}
	asked.Progress = m.passing(asked.Progress)
	m.session.levels.begin(r, asked.LogLevel)
	asked.LogLevel = ""
	m.session.next.Request(bounded, asked, r.answered)
}

// Subscribe implements ports.Session.
func (m *member) Subscribe(ctx context.Context, asked ports.Request, reply ports.Reply) {
	if r, bounded := m.begin(ctx, reply); r != nil {
		r.endWith(ctx, bounded)
		m.session.subscriptions.add(r, asked)
	}
}

// Unsubscribe implements ports.Session.
func (m *member) Unsubscribe(ctx context.Context, asked ports.Request, reply ports.Reply) {
	if r, bounded := m.begin(ctx, reply); r != nil {
		r.endWith(ctx, bounded)
		m.session.subscriptions.remove(r, asked)
	}
}

// Ping implements ports.Session. If the server hangs, the session ends for all members; this
// host is told first.
func (m *member) Ping(ctx context.Context, limit time.Duration, reply func(err error)) {
	r, bounded := m.begin(ctx, func(_ ports.Answer, err error) {
		reply(err)
		if errors.Is(err, domain.ErrTimedOut) {
			m.session.retire(m)
		}
	})
	if r != nil {
		m.session.next.Ping(bounded, limit, func(err error) { r.finish(ports.Answer{}, err) })
	}
}

// AnnounceRootsChanged implements ports.Session. It does nothing, since the server is not told about
// changes of one host.
func (m *member) AnnounceRootsChanged() {}

// SetLogLevel implements ports.Session. The server is told of the lowest level that any
// member wants.
func (m *member) SetLogLevel(level string) { m.session.levels.set(m, level) }

// Declares implements ports.Session.
func (m *member) Declares(capability ...string) bool { return m.session.next.Declares(capability...) }

// Done implements ports.Session.
func (m *member) Done() <-chan struct{} { return m.lifetime.Done() }

// Err implements ports.Session.
func (m *member) Err() error { return context.Cause(m.lifetime) }

// Close implements ports.Session. The session with the server ends with its last member.
func (m *member) Close(ctx context.Context) (err error) {
	closed := &domain.ServerUnavailableError{ID: m.session.server.ID, Reason: domain.ErrDisconnected}
	m.end(closed) // no more requests begin
	requests := m.leave()
	m.session.leave(m)
	for _, r := range requests {
		r.finish(ports.Answer{}, closed)
	}
	if m.session.isOver() {
		err = m.session.next.Close(ctx)
	} else {
		m.session.subscriptions.leave(m)
		m.session.levels.leave(m)
	}
	m.inbox.drain(ctx)
	return err
}

// leave ends the notifications to the host, and returns its requests that are under way.
func (m *member) leave() []*request {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.left = true
	return slices.Collect(maps.Keys(m.requests))
}

func (m *member) hasLeft() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left
}

// delivery returns the delivery of a notification to the host. Its bytes must stay valid.
func (m *member) delivery(notification ports.Notification, about subject, priority priority) delivery {
	return delivery{
		priority: priority, subject: about, size: len(notification.Params) + len(about.name),
		pass: func() {
			if !m.hasLeft() {
				m.host.Notify(m.session.server.ID, notification)
			}
		},
	}
}

// missed notes that deliveries were dropped. The host is told that there may be other resources if it misses
// updates. Decision: it is not told about statuses of tasks, for which hosts ask.
func (m *member) missed(dropped []delivery) {
	if len(dropped) == 0 {
		return
	}
	m.session.log.Debug("dropped messages for a host that reads too slowly", "number", len(dropped))
	if slices.ContainsFunc(dropped, func(d delivery) bool { return d.subject.kind == ports.ResourceUpdated }) {
		kind := ports.ResourcesChanged
		m.inbox.offer(m.delivery(ports.Notification{Kind: kind}, subject{kind: kind}, always), false)
	}
}

// starting reports the progress of the server's start to the host.
func (m *member) starting(start ports.Start) {
	if watcher, ok := m.host.(ports.StartWatcher); ok {
		watcher.Starting(start)
	}
}

func (m *member) hasTask(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.tasks.Get(id)
	return known
}

// maxTasks is the maximum number of tasks kept for a host.
const maxTasks = 10_000
