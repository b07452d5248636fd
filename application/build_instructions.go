package application

import (
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// InstructionsBuilder is the use case BuildInstructions.
type InstructionsBuilder struct {
	catalog      ports.Catalog
	descriptions *Descriptions
}

var _ ports.InstructionsBuilder = (*InstructionsBuilder)(nil)

// NewInstructionsBuilder returns the use case over the toolboxes and problems of a catalog.
func NewInstructionsBuilder(catalog ports.Catalog, descriptions *Descriptions) *InstructionsBuilder {
	return &InstructionsBuilder{catalog: catalog, descriptions: descriptions}
}

// BuildInstructions implements ports.InstructionsBuilder.
func (b *InstructionsBuilder) BuildInstructions() domain.Instructions {
	untrusted, mistakes := domain.SplitProblems(b.catalog.Problems())
	all := b.catalog.Toolboxes()
	toolboxes := slices.Clone(all)
	for i := range toolboxes {
		if toolboxes[i].Description == "" {
			toolboxes[i].Description = b.descriptions.Describe(toolboxes[i], all)
		}
	}
	return domain.Instructions{Toolboxes: toolboxes, Untrusted: untrusted, Mistakes: mistakes}
}
