package config

import (
	"io/fs"
	"strings"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// InvalidError lists everything that is wrong with a configuration.
type InvalidError struct {
	// Problems holds at least one problem: those of the file first, in its order.
	Problems []tree.Problem
	// Warnings are those that Configuration.Warnings would have had.
	Warnings []tree.Problem
	// Concerns are the problems in words for a model, with the toolbox or server of each.
	Concerns []domain.ConfigurationProblem
	// OtherFiles are those that Configuration.OtherFiles would have been.
	OtherFiles map[string]fs.FileInfo
}

// Error returns all problems, one per line.
func (e *InvalidError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, problem := range e.Problems {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}
