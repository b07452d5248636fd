package sessions

import (
	"slices"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
)

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
