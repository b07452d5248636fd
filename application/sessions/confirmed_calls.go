package sessions

import (
	"context"
	"encoding/json"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Requests is what a session is used for beside calls of tools, which only
// Connection.CallTool makes: so no use case can forget that a call may need a yes.
type Requests interface {
	ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error)
	ListPrompts(ctx context.Context) (domain.PromptList, error)
	Request(ctx context.Context, request ports.Request, reply ports.Reply)
	Notify(notification ports.Message)
	SetLogLevel(level string)
	Declares(capability ...string) bool
	Close(ctx context.Context) error
}

// CallTool makes a call of a listed tool (ports.Session), between Enter and Leave. It
// reports false, and does nothing, when the call needs a yes that is not there: one for
// this tool, the definition that it has now, and these arguments. Nil is no yes. A call that
// is for tools that only read is not made of any other.
func (c *Connection) CallTool(
	ctx context.Context, listed domain.ToolInfo, yes *domain.Confirmation, call ports.ToolCall, reply ports.Reply,
) (made bool) {
	if c.NeedsYes(listed) && !c.isConfirmed(listed, yes, call.Arguments) {
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
	return c.tools.isCurrent(listed) && yes.Covers(c.identifier(listed), listed.Definition, arguments)
}

// NeedsYes reports whether a call of a listed tool needs a yes of the person. A definition
// that is not the newest always does. Where the configuration confirms nothing of the server
// it costs nothing.
func (c *Connection) NeedsYes(listed domain.ToolInfo) bool {
	return c.Server.Approvals.AskBeforeCalls() && c.tools.needsYes(listed)
}

// Allow notes that the person allows every call of a listed tool, if that is its definition now.
// It ends when its definition changes, and when its list cannot be refreshed, so that nobody knows.
func (c *Connection) Allow(listed domain.ToolInfo) { c.tools.allow(listed) }

func (c *Connection) identifier(listed domain.ToolInfo) domain.ToolIdentifier {
	return domain.ToolIdentifier{Toolbox: c.Server.ID.Toolbox, Server: c.Server.ID.Server, Tool: listed.Name}
}

// findNeedingYes returns the tools of a list, filters and lock applied, of which calls need
// a yes, by their exact names. While a lock is in force a tool that is not as it was locked
// does, whatever its name. Of a list that could not be refreshed the definitions are not
// known, so that nothing in them spares the question.
func (l *toolList) findNeedingYes(list domain.ToolList, lock pinning.LockState) map[string]bool {
	if !l.server.Approvals.AskBeforeCalls() {
		return nil
	}
	needing := map[string]bool{}
	for _, tool := range list.Tools {
		switch {
		case l.server.NeedsYes(tool), doubts(lock, list, tool):
			needing[tool.Name] = true
		case l.server.Approvals.ConfirmDestructive:
			hints := l.pins.LockedHints(l.server, tool, lock)
			needing[tool.Name] = isOld(list) || !hints.ReadOnly && !hints.NotDestructive
		}
	}
	return needing
}

// doubts reports whether a lock is in force and a tool of a list is not known to be as it was
// locked.
func doubts(lock pinning.LockState, list domain.ToolList, tool domain.ToolInfo) bool {
	return lock.Doubts(list, tool.Name) || lock.HasLock() && isOld(list)
}

func (l *toolList) needsYes(listed domain.ToolInfo) bool {
	l.reapplyPins() // the lock may be another one since
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.isCurrentLocked(listed):
		return true
	case !l.snapshot.needingYes[listed.Name]:
		return false
	}
	allowed, isAllowed := l.allowed[listed.Name]
	return !isAllowed || string(allowed) != string(listed.Definition)
}

func (l *toolList) isCurrent(listed domain.ToolInfo) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isCurrentLocked(listed)
}

// isCurrentLocked reports whether the tool was last listed with that definition.
func (l *toolList) isCurrentLocked(listed domain.ToolInfo) bool {
	current, exists := l.snapshot.index[listed.Name]
	return exists && current.Name == listed.Name && string(current.Definition) == string(listed.Definition)
}

func (l *toolList) allow(listed domain.ToolInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if isOld(l.snapshot.listed) || !l.isCurrentLocked(listed) {
		return
	}
	if l.allowed == nil {
		l.allowed = map[string]json.RawMessage{}
	}
	l.allowed[listed.Name] = listed.Definition
}

// forgetChangedLocked takes back what was allowed of tools whose definitions changed.
func (l *toolList) forgetChangedLocked() {
	for name, definition := range l.allowed {
		if isOld(l.snapshot.listed) || !l.isCurrentLocked(domain.ToolInfo{Name: name, Definition: definition}) {
			delete(l.allowed, name)
		}
	}
}

// inherit takes over what was allowed of the tools of the same server, with the same
// settings, before it was started again. Before may be nil.
func (l *toolList) inherit(before *toolList) {
	if before == nil || before == l || !before.server.Equal(l.server) {
		return
	}
	before.mu.Lock()
	allowed := before.allowed
	before.allowed = nil
	before.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.allowed = allowed
	l.forgetChangedLocked()
}
