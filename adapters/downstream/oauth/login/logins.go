package login

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const (
	// pendingTime is the time a login waits for the user, beginTime the longest time it may take to begin while hosts
	// are served.
	pendingTime = 10 * time.Minute
	beginTime   = time.Minute
	// lookTime is the interval at which the record of a login is read.
	lookTime = time.Second
	// forgetTime is the longest time the end of the program may wait for a record that another process has
	// locked. A request that stays in the record has a link that is not served.
	forgetTime = 500 * time.Millisecond
)

// Logins are the logins that people make while hosts are served. Safe for concurrent use.
type Logins struct {
	client *oauth.Client
	log    *slog.Logger

	ctx    context.Context //nolint:containedctx // bounds all logins; Close cancels it
	cancel context.CancelFunc

	mu      sync.Mutex
	current map[logins.Key]*login // the last one begun
	closed  bool
	running sync.WaitGroup
}

var _ ports.Logins = (*Logins)(nil)

// NewLogins returns the logins of a client.
func NewLogins(client *oauth.Client, log *slog.Logger) *Logins {
	ctx, cancel := context.WithCancel(context.Background())
	return &Logins{client: client, log: log, ctx: ctx, cancel: cancel, current: map[logins.Key]*login{}}
}

// Close ends all logins, refuses new ones, and returns when their goroutines have ended.
func (l *Logins) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	l.running.Wait()
}

// MayBeNeeded implements ports.Logins.
func (l *Logins) MayBeNeeded(server domain.Server) bool {
	known, err := oauth.ServerOf(server)
	return err == nil && !known.Settings.Unattended()
}

// Begin implements ports.Logins. Concurrent callers share a login.
func (l *Logins) Begin(ctx context.Context, configured domain.Server) (ports.PendingLogin, error) {
	server, err := oauth.ServerOf(configured)
	if err != nil {
		return ports.PendingLogin{}, err
	}
	current, err := l.pending(ctx, server)
	if err == nil && current.isForeign && !isServed(ctx, current.link, current.currentURL()) {
		// The process that served it has ended.
		l.forget(current)
		current, err = l.pending(ctx, server)
	}
	if err != nil {
		return ports.PendingLogin{}, err
	}
	address := current.url
	if current.isForeign { // or was, and had to begin again
		address = current.currentURL()
	}
	return ports.PendingLogin{
		ID: idOf(current.server.Key()), URL: address, Link: current.link, Done: current.done,
		Err: func() error { return current.err },
	}, nil
}

// pending returns the pending login at the server, once it has begun.
func (l *Logins) pending(ctx context.Context, server oauth.Server) (*login, error) {
	current := l.join(server)
	if current == nil {
		return nil, domain.ErrShuttingDown
	}
	select {
	case <-current.begun:
		return current, current.refusal
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func idOf(key logins.Key) string { return key.Server + " " + key.ClientID + " " + key.Account }

// join returns the pending login at the server, or begins one. It returns nil after Close.
func (l *Logins) join(server oauth.Server) *login {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	key := server.Key()
	if current := l.current[key]; current != nil && !current.isOver() {
		return current
	}
	begun := &login{client: l.client, log: l.log, server: server, begun: make(chan struct{}), done: make(chan struct{})}
	l.current[key] = begun
	l.running.Go(func() {
		begun.run(l.ctx)
		l.forget(begun)
	})
	return begun
}

func (l *Logins) forget(ended *login) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if key := ended.server.Key(); l.current[key] == ended {
		delete(l.current, key)
	}
}

// pageHelp says where to find what a page of an authorization server says to the user only.
const pageHelp = "if its page shows an error, 'mcp-workbench help logins messages' says what helps"

// errTimeout ends a login that was not made in time.
var errTimeout = errors.New("the login was not completed within 10 minutes; " + pageHelp)
