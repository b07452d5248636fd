package sessions

import (
	"encoding/json"
	"sync"
	"sync/atomic"

	"mcp-workbench/domain"
)

// toolList holds the tools of one server as they were last listed, and the tools that the
// user allowed. Safe for concurrent use.
type toolList struct {
	toolRules
	snapshot atomic.Pointer[toolSnapshot] // nil before the first listing
	// hasPrompts and hasResources tell what else the server has. They do not change.
	hasPrompts, hasResources bool

	mu      sync.Mutex // held while a listing is shown; guards allowed
	allowed allowances
}

// current returns the tools as they were last listed.
func (l *toolList) current() *toolSnapshot { return l.snapshot.Load() }

// show replaces the tools by those of a listing.
func (l *toolList) show(listed *toolSnapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.snapshot.Store(listed)
	l.allowed.keepCurrent(listed)
}

// reapplyPins applies the current lock to the tools.
func (l *toolList) reapplyPins() {
	before, lock := l.current(), l.pins.State()
	if lock != before.lock {
		// A newer listing has the lock applied already.
		l.snapshot.CompareAndSwap(before, l.apply(before.whole, before.listed, lock))
	}
}

// under returns the tools as they were last listed, for the server with other settings:
// they can be called until it is connected to with those settings.
func (l *toolList) under(server domain.Server) *toolList {
	list := &toolList{toolRules: toolRules{server: server, pins: l.pins, log: l.log}, hasPrompts: l.hasPrompts, hasResources: l.hasResources}
	before := l.current()
	list.snapshot.Store(list.apply(before.whole, server.Tools.Apply(before.listed), l.pins.State()))
	return list
}

// needsYes is Connection.CallNeedsYes for a call that may need a yes.
func (l *toolList) needsYes(listed domain.ToolInfo, always bool) bool {
	l.reapplyPins() // the lock may have changed
	switch current := l.current(); {
	case !current.has(listed):
		return true
	case !always && !current.needingYes[listed.Name]:
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.allowed.cover(listed)
}

// allow is Connection.Allow.
func (l *toolList) allow(listed domain.ToolInfo) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if current := l.current(); isOld(current.listed) || !current.has(listed) {
		return
	}
	if l.allowed == nil {
		l.allowed = allowances{}
	}
	l.allowed[listed.Name] = listed.Own()
}

// inherit takes over the permissions from before a restart of the server, if its
// settings are the same. Before may be nil.
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
	l.allowed.keepCurrent(l.current())
}

// onlyReading is Sessions.OnlyReading.
func (l *toolList) onlyReading(tools []domain.ToolInfo) (names map[string]bool, every bool) {
	if !l.server.Approvals.NameReadOnly() {
		return nil, false
	}
	l.reapplyPins()
	current := l.current()
	for _, tool := range tools {
		if current.checkOnlyReads(tool) != nil {
			continue
		}
		if names == nil {
			names = map[string]bool{}
		}
		names[tool.Name] = true
	}
	return names, len(names) > 0 && len(names) == len(tools)
}

// checkOnlyReads is Connection.CheckOnlyReads.
func (l *toolList) checkOnlyReads(listed domain.ToolInfo) *domain.NotReadOnlyError {
	l.reapplyPins() // the lock may have changed
	return l.current().checkOnlyReads(listed)
}

// allowances map the exact names of the tools that the user allowed for the session to the
// definitions that were allowed. They are plain data; the owner locks.
type allowances map[string]json.RawMessage

// cover reports whether the tool was allowed with its present definition.
func (a allowances) cover(tool domain.ToolInfo) bool {
	allowed, exists := a[tool.Name]
	return exists && string(allowed) == string(tool.Own())
}

// keepCurrent withdraws the permissions for tools whose definitions differ from the
// snapshot, or may differ because it is old.
func (a allowances) keepCurrent(snapshot *toolSnapshot) {
	for name, definition := range a {
		if isOld(snapshot.listed) || !snapshot.has(domain.ToolInfo{Name: name, Definition: definition}) {
			delete(a, name)
		}
	}
}
