package config

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Catalog holds the toolboxes of a configuration. It implements ports.Catalog.
type Catalog struct {
	toolboxes []domain.Toolbox
	index     map[domain.ToolboxName]int
}

var _ ports.Catalog = (*Catalog)(nil)

// NewCatalog returns the catalog of the toolboxes, which it keeps. Their names
// differ.
func NewCatalog(toolboxes []domain.Toolbox) *Catalog {
	index := make(map[domain.ToolboxName]int, len(toolboxes))
	for i, toolbox := range toolboxes {
		index[toolbox.Name] = i
	}
	return &Catalog{toolboxes: toolboxes, index: index}
}

// Toolboxes implements ports.Catalog.
func (c *Catalog) Toolboxes() []domain.Toolbox { return c.toolboxes }

// Toolbox implements ports.Catalog.
func (c *Catalog) Toolbox(name domain.ToolboxName) (domain.Toolbox, error) {
	i, ok := c.index[name]
	if !ok {
		return domain.Toolbox{}, &domain.ToolboxNotFoundError{Toolbox: name, Available: c.names()}
	}
	return c.toolboxes[i], nil
}

func (c *Catalog) names() []string {
	names := make([]string, len(c.toolboxes))
	for i, toolbox := range c.toolboxes {
		names[i] = string(toolbox.Name)
	}
	return names
}
