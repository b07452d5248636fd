package sessions

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Connection is a session with a server and the tools that the server lists. Safe for
// concurrent use.
type Connection struct {
	// Session is for requests; only CallTool makes calls, so that no use case can forget that a call may need a yes.
	// Requests that keep the server up are made between Enter and Leave.
	Session ports.Requests
	// Server is the server as it is configured.
	Server domain.Server

	session   ports.Session
	tools     *toolList
	refresher *toolRefresher
	life      *lifetime
	idle      *idleness // nil if the server is never stopped for being idle
	uses      usage
	timeouts  atomic.Int32          // calls in a row that timed out
	lostLogin atomic.Bool           // a call was refused for lack of a login, and no opening listed the tools since
	shown     atomic.Pointer[Shown] // what the host was shown before the server was up, nil if nothing or the tools since
	announces bool                  // the server declares that it reports changes of its tools
	called    atomic.Bool           // a call succeeded since an opening looked at the tools
	log       *slog.Logger
}

// Tools returns the tools that exist for the host under the current lock.
func (c *Connection) Tools() domain.ToolList {
	c.tools.reapplyPins()
	return c.tools.current().list
}

// Names returns the exact names of all tools that the server lists, including those that a
// filter or the lock leaves out.
func (c *Connection) Names() []string { return c.tools.current().names() }

// Find returns the tool of that name, as it was last listed, and whether the server
// reported a change of its tools since. Failures: domain.ErrToolBlocked,
// domain.ErrToolNotFound, which names only tools that offered returns, if it is not nil.
func (c *Connection) Find(tool domain.ToolIdentifier, offered func([]domain.ToolInfo) []domain.ToolInfo) (listed ListedTool, stale bool, err error) {
	stale = c.refresher.isStale() // first, so that the tools are at least as new
	listed, err = c.tools.current().find(tool, offered)
	c.noteGone(tool.Tool, err)
	return listed, stale, err
}

// Refresh lists the tools again if they are stale. Callers share a listing that is
// under way; it is followed by one more, however many changes the server reports
// meanwhile. A listing that fails leaves the tools as they were, with a warning. The
// context bounds the wait only.
func (c *Connection) Refresh(ctx context.Context) { c.refresher.refresh(ctx) }

// RetryListing makes the tools stale if the last listing failed, if it ended before the opening
// began and has expired, or if a call was refused for lack of a login since. It also does so after a call
// of a server that does not report changes: a call of "login" can have added tools.
func (c *Connection) RetryListing(opening time.Time) {
	lostLogin, called := c.lostLogin.Swap(false), c.called.Swap(false)
	c.refresher.retryNow(opening, lostLogin || called && !c.announces)
}

// Doubt makes the tools stale if the server did not list a tool of that name and does not report changes, so
// that it may have the tool by now. It reports whether it did. It does nothing if the tools were listed a few
// times just before.
func (c *Connection) Doubt(tool string) bool {
	return !c.announces && !slices.Contains(c.Names(), tool) && c.refresher.doubt()
}

// Enter notes that a use of the server begins. It reports false when the server was
// just stopped because it was idle, or replaced because its settings changed. Each
// Enter that returns true needs one Leave.
func (c *Connection) Enter() bool {
	if c.uses.enter() && c.idle.enter() {
		return true
	}
	c.endUse()
	return false
}

// Leave notes that a use of the server ended.
func (c *Connection) Leave() {
	c.idle.leave()
	c.endUse()
}

// endUse ends the session after the last use when it was replaced.
func (c *Connection) endUse() {
	if c.uses.leave() {
		c.life.end(endReplaced, nil)
	}
}

// IsAsleep reports whether the server was stopped as idle.
func (c *Connection) IsAsleep() bool { return c.life.endedBy(endIdle) }

const (
	// maxTimeouts is the number of calls in a row that may time out before the server has to answer
	// a ping.
	maxTimeouts = 3
	// pingTime is the longest time it may take to answer the ping.
	pingTime = 5 * time.Second
)

// RecordOutcome notes how a call ended, and returns the failure to report. If the server is gone because its
// toolbox was closed or the user restarted it, the failure says so. After several calls in a row timed out, a
// ping finds out whether the server is slow or hangs.
func (c *Connection) RecordOutcome(err error) error {
	if err == nil {
		if c.timeouts.Load() != 0 {
			c.timeouts.Store(0)
		}
		if !c.called.Load() {
			c.called.Store(true)
		}
		return nil
	}
	if errors.Is(err, domain.ErrLoginRequired) {
		c.lostLogin.Store(true)
	}
	if errors.Is(err, domain.ErrTimedOut) && c.timeouts.Add(1) == maxTimeouts {
		c.ping()
	}
	if !errors.Is(err, domain.ErrServerUnavailable) {
		return err
	}
	switch {
	case c.life.endedBy(endClosed):
		return &domain.ServerUnavailableError{ID: c.Server.ID, Reason: domain.ErrToolboxClosed}
	case c.life.endedBy(endRestarted):
		return &domain.ServerUnavailableError{ID: c.Server.ID, Reason: domain.ErrRestarted}
	}
	return err
}

// ping ends the session unless the server answers.
func (c *Connection) ping() {
	c.Session.Ping(context.Background(), pingTime, func(err error) {
		c.timeouts.Store(0)
		if errors.Is(err, domain.ErrTimedOut) {
			why := &domain.HungError{Calls: maxTimeouts}
			c.log.Warn(why.Error(), "toolbox", c.Server.ID.Toolbox, "server", c.Server.ID.Server)
			c.life.end(endHung, why)
		}
	})
}

// stopIdle ends the session of an idle server.
func (c *Connection) stopIdle() {
	if c.life.end(endIdle, nil) {
		c.log.Info("stopping the server, since it was not used for a while",
			"toolbox", c.Server.ID.Toolbox, "server", c.Server.ID.Server)
	}
}
