package application

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Connection is a live session and what its server offers, filters applied. Safe
// for concurrent use.
type Connection struct {
	Session ports.Session

	hearing   *hearing
	server    domain.Server
	pinning   *Pinning              // nil when there is no lock to judge by
	changed   func(domain.ServerID) // nil when nobody follows what servers offer
	log       *slog.Logger
	offer     atomic.Pointer[offer]
	idle      *idleness // nil when the server may be idle for ever
	retired   chan struct{}
	retire    sync.Once
	hung      string // why it was retired, "" for idleness; read after retired
	timeouts  atomic.Int32
	restarted atomic.Pointer[domain.Warning] // for the next open
	dismissed atomic.Bool                    // its toolbox was closed
	shown     atomic.Bool                    // it is the one that calls use
	relisting atomic.Bool                    // relist is at work
	wake      chan struct{}                  // holds at most one: the tools changed
	// unreachable says that it was lost and the server could not be connected to again;
	// under the lock of the sessions.
	unreachable bool

	listing    atomic.Bool // anew is under way
	mu         sync.Mutex
	refreshing chan struct{} // closed when that listing ends, nil if none is under way
}

func newConnection(
	server domain.Server, host ports.Host, pinning *Pinning, changed func(domain.ServerID), log *slog.Logger,
) *Connection {
	c := &Connection{server: server, pinning: pinning, changed: changed, log: log, retired: make(chan struct{}), wake: make(chan struct{}, 1)}
	c.idle = newIdleness(server.Limits.Idle, c.sleep)
	c.hearing = &hearing{Host: host, idle: c.idle, relist: c.relistSoon}
	return c
}

// offer is what a server offers, as it was last listed.
type offer struct {
	listed domain.ToolList // filters applied
	list   domain.ToolList // as it was judged by the lock
	by     basis           // of that
	index  map[string]domain.ToolInfo
}

// List returns the tools that exist for the host, by the lock as it is now.
func (c *Connection) List() domain.ToolList {
	c.judgeAnew()
	return c.offer.Load().list
}

// judgeAnew judges what is offered by the lock as it is now.
func (c *Connection) judgeAnew() {
	current := c.offer.Load()
	if by := c.pinning.basis(); by != current.by {
		// If the tools were listed anew meanwhile, they were judged then.
		c.offer.CompareAndSwap(current, c.judged(current.listed, by))
	}
}

// judged returns the offer of what a server lists, filters applied.
func (c *Connection) judged(listed domain.ToolList, by basis) *offer {
	list := c.pinning.judge(c.server, listed, by)
	return &offer{listed: listed, list: list, by: by, index: list.Index()}
}

// find returns the tool that an identifier means.
func (c *Connection) find(tool domain.ToolIdentifier) (domain.ToolInfo, error) {
	offer := c.offer.Load()
	info, ok := offer.index[tool.Tool]
	if !ok {
		if blocked, ok := offer.list.Blocks(tool.Tool); ok {
			return domain.ToolInfo{}, &domain.ToolBlockedError{Tool: tool, Why: blocked.Why, Detail: blocked.Detail}
		}
		return domain.ToolInfo{}, &domain.ToolNotFoundError{Tool: tool, Available: offer.list.Names()}
	}
	return info, nil
}

// stale reports whether the server said that its tools changed, and a list from
// after that is not there yet.
func (c *Connection) stale() bool { return c.hearing.toolsChanged.Load() || c.listing.Load() }

// show applies the server's filter to what it lists, and offers that.
func (c *Connection) show(list domain.ToolList) {
	for _, name := range c.server.Tools.Missing(list.Tools) {
		c.log.Warn("toolFilters names a tool that the server does not list",
			"toolbox", c.server.ID.Toolbox, "server", c.server.ID.Server, "tool", name)
	}
	c.offer.Store(c.judged(c.server.Tools.Apply(list), c.pinning.basis()))
}

// Refresh lists the tools anew if they are stale. Callers that come meanwhile
// wait for the same listing; however often the server says that its tools changed
// while one is under way, one more follows at the most. The context bounds the
// wait only.
func (c *Connection) Refresh(ctx context.Context) {
	// The listing that is under way may miss the last change, the one after it cannot.
	for range 2 {
		if !c.stale() {
			return
		}
		select {
		case <-c.beginRefresh(ctx):
		case <-ctx.Done():
			return
		}
	}
}

// beginRefresh returns what is closed when the listing that is under way ends,
// beginning one if there is none.
func (c *Connection) beginRefresh(ctx context.Context) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refreshing == nil {
		c.refreshing = make(chan struct{})
		c.listing.Store(true)
		go c.refresh(context.WithoutCancel(ctx), c.refreshing)
	}
	return c.refreshing
}

// refresh lists the tools. If that fails, what is offered stays.
func (c *Connection) refresh(ctx context.Context, done chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, c.server.Limits.Connect)
	defer cancel()
	if c.idle.enter() {
		defer c.idle.leave()
	}
	c.hearing.toolsChanged.Store(false)
	list, err := c.Session.ListTools(ctx)
	if err == nil {
		c.show(list)
	} else {
		c.log.Warn("could not list the changed tools", "toolbox", c.server.ID.Toolbox, "server", c.server.ID.Server, "error", err)
		c.keep(err)
	}
	c.mu.Lock()
	c.refreshing = nil
	c.listing.Store(false)
	c.mu.Unlock()
	close(done)
	if c.changed != nil {
		c.changed(c.server.ID)
	}
}

// retryListing makes the tools stale that could not be listed when they had changed.
func (c *Connection) retryListing() {
	failed := func(w domain.Warning) bool { return w.Kind == domain.ListNotRefreshed }
	if slices.ContainsFunc(c.offer.Load().listed.Warnings, failed) {
		c.hearing.toolsChanged.Store(true)
	}
}

// keep offers the same tools with the warning that they are not the newest.
func (c *Connection) keep(err error) {
	listed := c.offer.Load().listed
	listed.Warnings = append(withoutKind(listed.Warnings, domain.ListNotRefreshed),
		domain.Warning{Kind: domain.ListNotRefreshed, Detail: domain.Reason(err)})
	c.offer.Store(c.judged(listed, c.pinning.basis()))
}

func withoutKind(warnings []domain.Warning, kind domain.WarningKind) []domain.Warning {
	var rest []domain.Warning
	for _, warning := range warnings {
		if warning.Kind != kind {
			rest = append(rest, warning)
		}
	}
	return rest
}
