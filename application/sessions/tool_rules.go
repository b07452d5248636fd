package sessions

import (
	"log/slog"
	"slices"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/domain/arguments"
)

// toolRules make snapshots of a server's listings: they apply its filter, the lock and its
// approvals.
type toolRules struct {
	server domain.Server
	pins   *pinning.Pinning // nil when there is no lock to apply
	// isKept says that the tools come from a file that other programs can change. With a lock in force, only the parts
	// that it holds are shown; without one, the tools count as not read-only.
	isKept bool
	// keepsWhole says that the definitions of tools that the filter leaves out are needed too.
	keepsWhole bool
	log        *slog.Logger
}

// filter returns a snapshot of what the server listed.
func (r *toolRules) filter(list domain.ToolList) *toolSnapshot {
	filtered := r.server.Tools.Apply(list)
	for _, name := range r.server.Tools.Missing(list.Tools) {
		r.log.Warn("toolFilters names a tool that the server does not list",
			"toolbox", r.server.ID.Toolbox, "server", r.server.ID.Server, "tool", name)
		if !r.server.Tools.IsList() {
			// The tool that should be left out can be used.
			filtered.Warnings = append(slices.Clip(filtered.Warnings), domain.Warning{Kind: domain.LeftOutToolMissing, Detail: name})
		}
	}
	for _, warning := range arguments.CheckAdjustments(r.server.Adjustments, list.Tools) {
		r.log.Warn("an entry of tools has a mistake", "toolbox", r.server.ID.Toolbox, "server", r.server.ID.Server,
			"tool", warning.Tool, "mistake", warning.Detail)
		filtered.Warnings = append(slices.Clip(filtered.Warnings), warning)
	}
	if len(filtered.Tools) < len(list.Tools) && !r.keepsWhole {
		list.Tools = withoutDefinitions(list.Tools)
	}
	return r.apply(list, filtered, r.pins.State())
}

// withoutDefinitions returns the tools with their names only.
func withoutDefinitions(tools []domain.ToolInfo) []domain.ToolInfo {
	names := make([]domain.ToolInfo, len(tools))
	for i, tool := range tools {
		names[i] = domain.ToolInfo{Name: tool.Name, Shown: tool.Shown}
	}
	return names
}

// age returns a snapshot of the same tools, with the warning that they could not be refreshed.
func (r *toolRules) age(before *toolSnapshot, err error) *toolSnapshot {
	listed := before.listed
	warnings := slices.DeleteFunc(slices.Clone(listed.Warnings), isNotRefreshed)
	listed.Warnings = append(warnings, domain.Warning{Kind: domain.ListNotRefreshed, Reason: err})
	return r.apply(before.whole, listed, r.pins.State())
}

// apply returns a snapshot of the whole list and of the filtered list, under a lock.
func (r *toolRules) apply(whole, listed domain.ToolList, lock pinning.LockState) *toolSnapshot {
	shown := listed
	if r.isKept {
		shown = r.pins.Held(r.server, listed, lock)
	}
	list := r.pins.Apply(r.server, shown, lock) // of the server's own definitions
	adjusted := arguments.AdjustList(r.server.Adjustments, list)
	return &toolSnapshot{
		whole: whole, listed: listed, list: adjusted, lock: lock, index: adjusted.Index(),
		needingYes: r.findNeedingYes(list, lock), onlyReading: r.findOnlyReading(list, lock),
	}
}

// canShow reports whether tools can be shown before their server is up: no lock decides about them, or it has exactly
// these tools with their descriptions.
func (r *toolRules) canShow(snapshot *toolSnapshot) bool {
	return !r.isGoverned(snapshot) || r.server.Pinned != domain.PinSchema && r.pins.Confirms(r.server, snapshot.listed, snapshot.lock)
}

// isGoverned reports whether a lock decides about the tools.
func (r *toolRules) isGoverned(snapshot *toolSnapshot) bool {
	return snapshot.lock.Governs(r.server.ID.Toolbox)
}

// findNeedingYes returns the tools whose calls need a yes, by their exact names, in a list with
// filters and lock applied. While a lock is in force, they include every tool that differs from
// it, whatever its name. If a list could not be refreshed, its definitions may be outdated, so
// their annotations do not make a yes unnecessary.
func (r *toolRules) findNeedingYes(list domain.ToolList, lock pinning.LockState) map[string]bool {
	if !r.server.Approvals.AskBeforeCalls() {
		return nil
	}
	needing := map[string]bool{}
	for _, tool := range list.Tools {
		switch {
		case r.server.NeedsYes(tool), doubts(lock, list, tool):
			needing[tool.Name] = true
		case r.server.Approvals.ConfirmDestructive:
			hints := r.pins.LockedHints(r.server, tool, lock)
			needing[tool.Name] = isOld(list) || !hints.ReadOnly && !hints.NotDestructive
		}
	}
	return needing
}

// findOnlyReading returns the tools that only read, by their exact names, in a list with
// filters and lock applied. While a lock is in force, they never include a tool that differs
// from it, whatever its name. If a list could not be refreshed, its definitions may be
// outdated, so their annotations do not count.
func (r *toolRules) findOnlyReading(list domain.ToolList, lock pinning.LockState) map[string]bool {
	if !r.server.Approvals.NameReadOnly() || r.isKept && !lock.Governs(r.server.ID.Toolbox) {
		return nil
	}
	reading := map[string]bool{}
	for _, tool := range list.Tools {
		reading[tool.Name] = !doubts(lock, list, tool) &&
			(r.server.OnlyReads(tool) || r.server.Approvals.TrustAnnotations && r.pins.LockedHints(r.server, tool, lock).ReadOnly)
	}
	return reading
}

// doubts reports whether a lock is in force and a tool of a list is not known to match it.
func doubts(lock pinning.LockState, list domain.ToolList, tool domain.ToolInfo) bool {
	return lock.Doubts(list, tool.Name) || lock.HasLock() && isOld(list)
}

// toolSnapshot is one listing of a server's tools. It never changes.
type toolSnapshot struct {
	whole  domain.ToolList // as the server listed them; if no listing is kept and some are filtered out, by name only
	listed domain.ToolList // filters applied
	list   domain.ToolList // as they are shown under the lock
	lock   pinning.LockState
	index  map[string]domain.ToolInfo // of list, by name
	// needingYes are the tools whose calls need a yes, by their exact names.
	needingYes map[string]bool
	// onlyReading are the tools that only read, including those that need a yes, by their exact
	// names.
	onlyReading map[string]bool
}

// names returns the exact names of all tools that the server listed.
func (s *toolSnapshot) names() []string {
	var names []string
	for _, tool := range s.whole.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// Listing is one listing of a server's tools under one lock and one configuration. The zero value is no listing.
type Listing struct{ snapshot *toolSnapshot }

// ListedTool is a tool as it was found in a listing.
type ListedTool struct {
	domain.ToolInfo
	Listing
}

// find is Connection.Find.
func (s *toolSnapshot) find(tool domain.ToolIdentifier, offered func([]domain.ToolInfo) []domain.ToolInfo) (ListedTool, error) {
	if info, ok := s.index[tool.Tool]; ok {
		return ListedTool{ToolInfo: info, Listing: Listing{s}}, nil
	}
	if blocked, ok := s.list.Blocks(tool.Tool); ok {
		return ListedTool{}, &domain.ToolBlockedError{Tool: tool, Why: blocked.Why, Detail: blocked.Detail}
	}
	available := s.list
	if offered != nil {
		available.Tools = offered(available.Tools)
	}
	return ListedTool{}, &domain.ToolNotFoundError{Tool: tool, Available: available.Names()}
}

// has reports whether the tool was listed with that definition.
func (s *toolSnapshot) has(tool domain.ToolInfo) bool {
	current, exists := s.index[tool.Name]
	return exists && current.Name == tool.Name && string(current.Own()) == string(tool.Own())
}

// checkOnlyReads returns nil for a tool that only reads and needs no yes.
func (s *toolSnapshot) checkOnlyReads(tool domain.ToolInfo) *domain.NotReadOnlyError {
	switch {
	case s.needingYes[tool.Name]:
		return &domain.NotReadOnlyError{NeedsYes: true}
	case !s.onlyReading[tool.Name] || !s.has(tool):
		return &domain.NotReadOnlyError{}
	}
	return nil
}

// isOld reports whether a list could not be refreshed.
func isOld(list domain.ToolList) bool { return slices.ContainsFunc(list.Warnings, isNotRefreshed) }

func isNotRefreshed(w domain.Warning) bool { return w.Kind == domain.ListNotRefreshed }
