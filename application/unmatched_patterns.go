package application

import (
	"log/slog"
	"slices"
	"sync"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// unmatchedPatterns warns of patterns in "confirm" and "readOnly" that match no tool: the tools
// that they were meant for may be unprotected. Each pattern is logged once per host. Safe for
// concurrent use.
type unmatchedPatterns struct {
	catalog ports.Catalog
	known   *sessions.KnownTools
	log     *slog.Logger

	mu     sync.Mutex // guards logged; nothing blocks under it
	logged map[domain.PatternPlace]bool
}

// note warns of the patterns in force for a toolbox that match no tool, unless they may match
// a tool of a server whose tools are not known yet.
func (u *unmatchedPatterns) note(opened *domain.OpenedToolbox) {
	if !slices.ContainsFunc(opened.Toolbox.Servers, hasPatterns) {
		return
	}
	for _, pattern := range domain.UnmatchedPatterns(domain.ListTools(u.catalog.Toolboxes(), u.known.Names)) {
		if pattern.Toolbox != "" && pattern.Toolbox != opened.Toolbox.Name {
			continue
		}
		opened.Warnings = append(opened.Warnings, domain.Warning{Kind: domain.PatternUnmatched, Pattern: &pattern})
		u.logOnce(pattern)
	}
}

func hasPatterns(server domain.Server) bool {
	return len(server.Approvals.Confirm)+len(server.Approvals.ReadOnly) > 0
}

func (u *unmatchedPatterns) logOnce(pattern domain.UnmatchedPattern) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.logged[pattern.PatternPlace] {
		u.logged[pattern.PatternPlace] = true
		u.log.Warn("a pattern of the configuration matches no tool", "key", pattern.Key, "pattern", pattern.Pattern.Text,
			"toolbox", pattern.Toolbox, "server", pattern.Server, "nearest", pattern.Nearest)
	}
}
