package sessions

import (
	"maps"
	"slices"
	"sync"

	"mcp-workbench/domain"
)

// KnownTools are the tools of the servers that are up, or would be started again by
// a call. Sessions keep them up to date. Safe for concurrent use; Sessions.mu may be
// held while mu is taken, never the other way round.
type KnownTools struct {
	mu    sync.Mutex // guards lists
	lists map[domain.ServerID]*toolList
}

// NewKnownTools returns an empty table.
func NewKnownTools() *KnownTools { return &KnownTools{lists: map[domain.ServerID]*toolList{}} }

// Tools returns the tools of a server as they were last listed, nil when it is not
// known to have any. The result must not be changed.
func (k *KnownTools) Tools(id domain.ServerID) []domain.ToolInfo {
	list := k.list(id)
	if list == nil {
		return nil
	}
	return list.current().list.Tools
}

// Listed returns the tools of a server as they were last listed, with its filter and the current lock applied,
// and whether they are known. The result must not be changed.
func (k *KnownTools) Listed(id domain.ServerID) (tools []domain.ToolInfo, known bool) {
	list := k.list(id)
	if list == nil {
		return nil, false
	}
	list.reapplyPins()
	return list.current().list.Tools, true
}

// Names returns the exact names of all tools of a server as they were last listed, including
// those that a filter or the lock leaves out, and whether they are known.
func (k *KnownTools) Names(id domain.ServerID) (names []string, known bool) {
	list := k.list(id)
	if list == nil {
		return nil, false
	}
	return list.current().names(), true
}

func (k *KnownTools) list(id domain.ServerID) *toolList {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lists[id]
}

// Contains reports whether a server is up or would be started again by a call.
func (k *KnownTools) Contains(id domain.ServerID) bool { return k.list(id) != nil }

func (k *KnownTools) set(id domain.ServerID, list *toolList) {
	k.mu.Lock()
	before := k.lists[id]
	k.lists[id] = list
	k.mu.Unlock()
	list.inherit(before)
}

// replace replaces a list by another one, unless it was replaced already.
func (k *KnownTools) replace(id domain.ServerID, before, after *toolList) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.lists[id] == before {
		k.lists[id] = after
	}
}

func (k *KnownTools) allLists() []*toolList {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Collect(maps.Values(k.lists))
}

func (k *KnownTools) remove(id domain.ServerID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.lists, id)
}
