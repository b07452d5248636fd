package config

import (
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Catalog holds the toolboxes of a configuration. It implements ports.Catalog.
type Catalog struct {
	toolboxes []domain.Toolbox
	index     map[domain.ToolboxName]int
	problems  []domain.ConfigurationProblem
	disabled  []domain.Toolbox
	// onlySkills have a plugin with skills, and no server.
	onlySkills []domain.Toolbox
}

var _ ports.Catalog = (*Catalog)(nil)

// NewCatalog returns a catalog of the toolboxes. It keeps the slice. No two toolboxes may
// have the same name.
func NewCatalog(toolboxes []domain.Toolbox) *Catalog {
	index := make(map[domain.ToolboxName]int, len(toolboxes))
	for i, toolbox := range toolboxes {
		index[toolbox.Name] = i
	}
	return &Catalog{toolboxes: toolboxes, index: index}
}

// Toolboxes implements ports.Catalog.
func (c *Catalog) Toolboxes() []domain.Toolbox { return c.toolboxes }

// WithSkills returns the toolboxes, and those whose plugins have skills but no server in use, which hosts do not see.
func (c *Catalog) WithSkills() []domain.Toolbox { return slices.Concat(c.toolboxes, c.onlySkills) }

// Disabled implements ports.Catalog.
func (c *Catalog) Disabled() []domain.Toolbox { return c.disabled }

// Inherited returns the variables that enabled servers name in "inheritEnv", each once, in
// the order of the file.
func (c *Catalog) Inherited() []string {
	var names []string
	for server := range domain.ServersOf(c.toolboxes) {
		for _, name := range server.Traits.Inherits {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Toolbox implements ports.Catalog.
func (c *Catalog) Toolbox(name domain.ToolboxName) (domain.Toolbox, error) {
	i, ok := c.index[name]
	if !ok {
		return domain.Toolbox{}, &domain.ToolboxNotFoundError{Toolbox: name, Available: domain.NamesOf(c.toolboxes), Problems: c.problemsOf(name)}
	}
	return c.toolboxes[i], nil
}

// Problems implements ports.Catalog.
func (c *Catalog) Problems() []domain.ConfigurationProblem { return c.problems }

// problemsOf returns the problems that may explain why a toolbox does not exist: its own
// and its servers', those that leave out every toolbox, and files that are not trusted.
func (c *Catalog) problemsOf(name domain.ToolboxName) []domain.ConfigurationProblem {
	var problems []domain.ConfigurationProblem
	for _, problem := range c.problems {
		if problem.MayHide(name) {
			problems = append(problems, problem)
		}
	}
	return problems
}
