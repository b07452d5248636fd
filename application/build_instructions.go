package application

import (
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// InstructionsBuilder is the use case BuildInstructions.
type InstructionsBuilder struct{ catalog ports.Catalog }

var _ ports.InstructionsBuilder = (*InstructionsBuilder)(nil)

// NewInstructionsBuilder returns the use case over the toolboxes and problems of a catalog.
func NewInstructionsBuilder(catalog ports.Catalog) *InstructionsBuilder {
	return &InstructionsBuilder{catalog: catalog}
}

// BuildInstructions implements ports.InstructionsBuilder.
func (b *InstructionsBuilder) BuildInstructions() domain.Instructions {
	untrusted, mistakes := domain.SplitProblems(b.catalog.Problems())
	return domain.Instructions{Toolboxes: b.catalog.Toolboxes(), Untrusted: untrusted, Mistakes: mistakes}
}
