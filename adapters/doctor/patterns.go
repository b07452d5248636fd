package doctor

import (
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

// unmatchedByLock returns a warning for each pattern that matches no tool of the lock, which
// has the tools of servers without starting them.
func unmatchedByLock(configuration *config.Configuration) []tree.Problem {
	if configuration.Path == "" {
		return nil
	}
	lock, err := lockfile.NewLocks(configuration.Path, configuration.FilesOfToolboxes(), nil).Lock()
	if err != nil || lock == nil {
		return nil // problems of the lock are reported elsewhere
	}
	return unmatchedPatterns(configuration, func(id domain.ServerID) ([]string, bool) {
		locked, known := lock.Server(id)
		var names []string
		for _, tool := range locked.Tools {
			names = append(names, tool.Name)
		}
		return names, known
	})
}

// unmatchedPatterns returns a warning for each pattern that matches no tool, except for those
// that the configuration already warns about.
func unmatchedPatterns(configuration *config.Configuration, namesOf func(domain.ServerID) (names []string, known bool)) []tree.Problem {
	var warnings []tree.Problem
	for _, pattern := range domain.UnmatchedPatterns(domain.ListTools(configuration.Catalog.Toolboxes(), namesOf)) {
		isKnown := func(other tree.Problem) bool { return other.Pattern != nil && *other.Pattern == pattern.PatternPlace }
		if !slices.ContainsFunc(configuration.Warnings, isKnown) {
			warnings = append(warnings, config.UnmatchedPattern(configuration.Path, pattern))
		}
	}
	return warnings
}

// checkPatterns finds patterns that match no tool of the servers that were started.
func (d *Doctor) checkPatterns(opened []domain.OpenedToolbox) []Finding {
	started := map[domain.ServerID]domain.OpenedServer{}
	for _, toolbox := range opened {
		for _, server := range toolbox.Servers {
			started[server.ID] = server
		}
	}
	var findings []Finding
	for _, warning := range unmatchedPatterns(d.configuration, func(id domain.ServerID) ([]string, bool) {
		server, known := started[id]
		return server.Names, known && server.Failure == nil
	}) {
		findings = append(findings, patternFinding(warning))
	}
	return findings
}

func patternFinding(warning tree.Problem) Finding {
	return Finding{
		codePattern, warning.KeyPath, warning.Message, "correct it: 'mcp-workbench list TOOLBOX' shows the tools; it has no effect until then",
	}
}
