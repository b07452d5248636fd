package main

import (
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/domain"
)

// unmatchedByLock returns a warning for each pattern that names no tool of the lock, which
// is what is known of tools without starting a server. Those that the configuration warns of
// already are not among them.
func unmatchedByLock(configuration *config.Configuration) []config.Problem {
	if configuration.Path == "" {
		return nil
	}
	lock, err := lockfile.Beside(configuration.Path).Lock()
	if err != nil || lock == nil {
		return nil // what is wrong with the lock is said elsewhere
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

// unmatchedPatterns returns a warning for each pattern that names no tool, by the names of
// tools that are known, as long as the configuration does not have it already.
func unmatchedPatterns(configuration *config.Configuration, namesOf func(domain.ServerID) (names []string, known bool)) []config.Problem {
	var warnings []config.Problem
	for _, pattern := range domain.UnmatchedPatterns(domain.ListTools(configuration.Catalog.Toolboxes(), namesOf)) {
		warning := config.UnmatchedPattern(configuration.Path, pattern)
		said, _, _ := strings.Cut(warning.Message, ";") // what is near may be known better here
		isSaid := func(other config.Problem) bool {
			return other.KeyPath == warning.KeyPath && strings.HasPrefix(other.Message, said)
		}
		if !slices.ContainsFunc(configuration.Warnings, isSaid) {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

// examinePatterns returns a finding for each pattern that names no tool of the servers that
// were started.
func examinePatterns(configuration *config.Configuration, started map[domain.ServerID]domain.OpenedServer) []finding {
	var findings []finding
	for _, warning := range unmatchedPatterns(configuration, func(id domain.ServerID) ([]string, bool) {
		server, known := started[id]
		return server.Names, known && server.Failure == nil
	}) {
		findings = append(findings, patternFinding(warning))
	}
	return findings
}

func patternFinding(warning config.Problem) finding {
	return finding{
		codePattern, warning.KeyPath, warning.Message, "correct it: 'mcp-workbench list TOOLBOX' shows the tools; until then nothing is named",
	}
}
