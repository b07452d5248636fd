package ui

import (
	"slices"

	"mcp-workbench/domain"
)

// numbered is an entry with its number. Newer entries have higher numbers.
type numbered struct {
	Number uint64
	Entry
}

// selection says which entries are in a list.
type selection struct {
	scope
	// kinds are the kinds of entries. If failedOnly is set, only failed ones are listed.
	kinds      []domain.ActivityKind
	failedOnly bool
	// before is the number of an entry, and only older ones are listed; 0 for all.
	before uint64
}

// newest returns the newest entries of a selection, at most maximum and the newest first, and whether there are
// older ones.
func (h *history) newest(viewer Viewer, want selection, maximum int) (entries []numbered, more bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	sees := h.filter(viewer, want.scope)
	for i, m := range slices.Backward(h.moments) {
		number := h.first + uint64(i) + 1 // #nosec G115 -- an index of a list
		switch {
		case want.before > 0 && number >= want.before, !slices.Contains(want.kinds, m.kind):
		case want.failedOnly && !m.outcome.HasFailed(), !sees(m):
		case len(entries) == maximum:
			return entries, true
		default:
			entries = append(entries, numbered{number, h.entry(m)})
		}
	}
	return entries, false
}

// lastFailures returns the newest failure of each server in a scope.
func (h *history) lastFailures(viewer Viewer, about scope) map[domain.ServerID]Entry {
	h.mu.RLock()
	defer h.mu.RUnlock()
	sees := h.filter(viewer, about)
	last := map[domain.ServerID]Entry{}
	for _, m := range slices.Backward(h.moments) {
		if !m.outcome.HasFailed() || !sees(m) {
			continue
		}
		if id := h.tools.values[m.tool].ServerID(); id.Server != "" {
			if _, known := last[id]; !known {
				last[id] = h.entry(m)
			}
		}
	}
	return last
}
