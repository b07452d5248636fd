package sessions

import (
	"context"
	"encoding/json"
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

// CallTool makes a call of a listed tool (ports.Session), between Enter and Leave. It does
// nothing and reports false when the call needs a yes for this tool, its present definition and
// these arguments, and does not have it. A nil yes never counts. With OnlyReads, only tools that
// only read are called.
func (c *Connection) CallTool(
	ctx context.Context, listed domain.ToolInfo, yes *domain.Confirmation, call ports.ToolCall, reply ports.Reply,
) (isCalled bool) {
	if c.CallNeedsYes(listed, call.NeedsYes) && !c.isConfirmed(listed, yes, call.Arguments) {
		return false
	}
	if call.OnlyReads && c.tools.checkOnlyReads(listed) != nil {
		return false
	}
	c.session.CallTool(ctx, call, reply)
	return true
}

// isConfirmed reports whether a yes is for a call of the tool as it is listed now.
func (c *Connection) isConfirmed(listed domain.ToolInfo, yes *domain.Confirmation, arguments json.RawMessage) bool {
	return c.tools.current().has(listed) && yes.Covers(c.identifier(listed), listed.Definition, arguments)
}

// NeedsYes reports whether a call of a listed tool needs approval of the user. On a server some of
// whose calls need it, a call by a definition that is not the newest always does. It is cheap for
// a server whose calls need no yes.
func (c *Connection) NeedsYes(listed domain.ToolInfo) bool { return c.CallNeedsYes(listed, false) }

// CallNeedsYes is NeedsYes for one call. With always the call needs approval whatever the
// configuration says, unless the user allowed the tool for the session.
func (c *Connection) CallNeedsYes(listed domain.ToolInfo, always bool) bool {
	return (always || c.Server.Approvals.AskBeforeCalls()) && c.tools.needsYes(listed, always)
}

// Allow notes that the user allows every call of a listed tool, if its definition is still the
// same. The permission ends when the definition changes, or when the list cannot be refreshed,
// so that the definition may have changed.
func (c *Connection) Allow(listed domain.ToolInfo) { c.tools.allow(listed) }

func (c *Connection) identifier(listed domain.ToolInfo) domain.ToolIdentifier {
	return domain.ToolIdentifier{Toolbox: c.Server.ID.Toolbox, Server: c.Server.ID.Server, Tool: listed.Name}
}

// CheckOnlyReads returns nil for a listed tool that needs no yes and only reads, according
// to the configuration or to a definition that is current and locked. A tool that needs a
// yes fails even after a yes was given. Failures: domain.ErrNotReadOnly.
func (c *Connection) CheckOnlyReads(tool domain.ToolIdentifier, listed domain.ToolInfo) error {
	if refused := c.tools.checkOnlyReads(listed); refused != nil {
		refused.Tool = tool
		return refused
	}
	return nil
}
