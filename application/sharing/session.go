package sharing

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// session is the session with a server that its members share: the attempt to connect and
// its outcome. Safe for concurrent use.
type session struct {
	server        domain.Server
	policy        ports.ServerPolicy // of the member that began the session
	subscriptions *subscriptions
	levels        *levels
	tools         tools
	inFlight      *shares.Budget // of requests
	log           *slog.Logger
	remove        func(*session)     // removes the session from the connector's table
	cancel        context.CancelFunc // of the attempt
	connected     chan struct{}      // closed when the attempt has ended
	gone          chan struct{}      // closed when nothing is left of the session

	// Exactly one of the two is set before connected is closed.
	next ports.Session
	err  error

	mu      sync.Mutex  // guards the fields below
	members []*member   // replaced, never changed
	ended   bool        // no member can join
	start   ports.Start // the last report about the start
	told    bool        // start is set
}

func newSession(server domain.Server, policy ports.ServerPolicy, log *slog.Logger, remove func(*session)) *session {
	s := &session{
		server: server, policy: policy, log: log.With("toolbox", server.ID.Toolbox, "server", server.ID.Server), remove: remove,
		connected: make(chan struct{}), gone: make(chan struct{}),
	}
	const unbounded = 1 << 62
	most := int64(unbounded)
	if limit := server.Limits.InFlight; limit > 0 {
		most = limit - limit/8 // the rest is for requests that begin before those that are given up have ended
	}
	s.inFlight = shares.NewBudget(most, shares.Newest)
	s.subscriptions = newSubscriptions(func() ports.Session { return s.next }, s.inFlight, server.Limits.Call)
	s.levels = newLevels(func(level string) { s.next.SetLogLevel(level) })
	return s
}

// lastWait is how much longer an attempt may take than the member that began it waits. That gives
// members that joined later more time, and a single member gives up first, with its own reason.
const lastWait = time.Second

// begin starts to connect to the server, once nothing is left of the sessions that ended before.
// The attempt belongs to all members that wait for it, so it does not end with the context of the
// first.
func (s *session) begin(ctx context.Context, connector ports.Connector, ended []*session) {
	ctx, s.cancel = context.WithTimeout(context.WithoutCancel(ctx), s.server.Limits.Connect+lastWait)
	go s.run(ctx, connector, ended)
}

// run connects to the server, and returns when that has failed or when nothing is left of
// the session. It closes a lost session itself.
func (s *session) run(ctx context.Context, connector ports.Connector, ended []*session) {
	defer s.cancel()
	defer s.markGone()
	next, err := s.connect(ctx, connector, ended)
	if err != nil {
		s.end(err)
		s.err = err
		close(s.connected)
		return
	}
	s.next = next
	close(s.connected)
	<-next.Done()
	s.end(next.Err())
	s.closeLeft(next)
}

// connect connects to the server once nothing is left of the sessions that ended before.
func (s *session) connect(ctx context.Context, connector ports.Connector, ended []*session) (ports.Session, error) {
	for _, earlier := range ended {
		select {
		case <-earlier.gone:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return connector.Connect(ctx, s.server, sharedHost{session: s}, s.policy)
}

// closeLeft closes a session that has no members left to close it.
func (s *session) closeLeft(next ports.Session) {
	ctx, cancel := context.WithTimeout(context.Background(), s.server.Limits.Shutdown)
	defer cancel()
	if err := next.Close(ctx); err != nil {
		s.log.Warn("could not close a session", "error", err)
	}
}

// finish lets no more members join, and returns the present ones.
func (s *session) finish() []*member {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	return s.members
}

// end lets no more members join, and tells the present ones that the session is lost.
func (s *session) end(err error) {
	for _, m := range s.finish() {
		m.end(err)
	}
}

// noticeLoss tells the members that the session is lost, if it is.
func (s *session) noticeLoss() {
	select {
	case <-s.next.Done():
		s.end(s.next.Err())
	default:
	}
}

// retire ends the session for the other members, since one found that the server hangs.
func (s *session) retire(finder *member) {
	for _, m := range s.finish() {
		if m != finder {
			m.end(&domain.ServerUnavailableError{ID: s.server.ID, Reason: domain.ErrHungForAnother})
		}
	}
	go s.closeLeft(s.next)
}

// markGone notes that nothing is left of the session.
func (s *session) markGone() {
	s.remove(s)
	close(s.gone)
}

func (s *session) isOver() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// join adds a member with that host, unless the session is over.
func (s *session) join(host ports.Host) (m *member, joined bool) {
	m = newMember(s, host)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, false
	}
	s.members = append(slices.Clone(s.members), m)
	if s.told {
		m.starting(s.start)
	}
	return m, true
}

// leave removes a member, and reports whether the session is over. Without members the
// session is over, and its attempt ends.
func (s *session) leave(m *member) (ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.members = slices.DeleteFunc(slices.Clone(s.members), func(other *member) bool { return other == m })
	if len(s.members) == 0 {
		s.ended = true
		s.cancel()
	}
	return s.ended
}

// await returns the member once the server is connected, or the failure to connect.
func (s *session) await(ctx context.Context, m *member) (ports.Session, error) {
	select {
	case <-ctx.Done():
		return nil, s.giveUp(ctx, m)
	case <-s.connected:
	}
	switch {
	case s.err == nil:
		s.levels.set(m, "")
		return m, nil
	case errors.Is(s.err, context.DeadlineExceeded) && ctx.Err() == nil: // the limit is that of the member that began the attempt
		reason := &domain.ConnectTimeoutError{Limit: s.server.Limits.Connect, Cause: s.err}
		return nil, &domain.ServerUnavailableError{ID: s.server.ID, Reason: reason, Cause: s.err}
	}
	return nil, s.err
}

// giveUp removes a member whose context ended. The attempt continues while other members wait
// for it; the last member to give up waits until nothing is left of it.
func (s *session) giveUp(ctx context.Context, m *member) error {
	if ended := s.leave(m); !ended {
		return ctx.Err()
	}
	<-s.connected
	if s.err != nil {
		return s.err
	}
	s.closeLeft(s.next) // it succeeded just now
	<-s.gone
	return ctx.Err()
}

// allMembers returns the members. The list never changes.
func (s *session) allMembers() []*member {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.members
}

// deliver passes on a message of the server to members. It waits up to patience for hosts that have much to
// read, for all of them at the same time, after the others have got it.
func (s *session) deliver(members []*member, message func(*member) delivery) {
	var full []*member
	for _, m := range members {
		dropped, room := m.inbox.offer(message(m), false)
		if room != nil {
			full = append(full, m)
		}
		m.missed(dropped)
	}
	if len(full) == 0 {
		return
	}
	wait, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, m := range full {
		m.missed(m.inbox.put(wait, message(m)))
	}
}
