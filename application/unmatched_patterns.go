package application

import (
	"slices"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// noteUnmatched warns of the patterns in "confirm" and "readOnly" in force for a toolbox that match no tool, since the
// tools that they were meant for may be unprotected. It leaves out patterns that may match a tool of a server whose
// tools are not known yet.
func noteUnmatched(catalog ports.Catalog, known *sessions.KnownTools) OpeningNote {
	return func(opened *domain.OpenedToolbox) {
		if !slices.ContainsFunc(opened.Toolbox.Servers, hasPatterns) {
			return
		}
		for _, pattern := range domain.UnmatchedPatterns(domain.ListTools(catalog.Toolboxes(), known.Names)) {
			if pattern.Toolbox == "" || pattern.Toolbox == opened.Toolbox.Name {
				opened.Warnings = append(opened.Warnings, domain.Warning{Kind: domain.PatternUnmatched, Pattern: &pattern})
			}
		}
	}
}

func hasPatterns(server domain.Server) bool {
	return len(server.Approvals.Confirm)+len(server.Approvals.ReadOnly) > 0
}
