package ui

import (
	"slices"

	"mcp-workbench/domain"
)

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
func (h *history) newest(viewer Viewer, want selection, maximum int) (entries []entry, more bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	sees := filter(viewer, want.scope)
	for _, e := range slices.Backward(h.entries) {
		switch {
		case want.before > 0 && e.Number >= want.before, !slices.Contains(want.kinds, e.Kind):
		case want.failedOnly && !e.Outcome.HasFailed(), !sees(e):
		case len(entries) == maximum:
			return entries, true
		default:
			entries = append(entries, e)
		}
	}
	return entries, false
}

// lastFailures returns the newest failure of each server in a scope.
func (h *history) lastFailures(viewer Viewer, about scope) map[domain.ServerID]entry {
	h.mu.RLock()
	defer h.mu.RUnlock()
	sees := filter(viewer, about)
	last := map[domain.ServerID]entry{}
	for _, e := range h.entries {
		if id := e.Tool().ServerID(); id.Server != "" && e.Outcome.HasFailed() && sees(e) {
			last[id] = e
		}
	}
	return last
}
