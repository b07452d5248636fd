package application

import (
	"fmt"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// InstructionsBuilder is the use case BuildInstructions.
type InstructionsBuilder struct{ catalog ports.Catalog }

// NewInstructionsBuilder returns the use case over a catalog.
func NewInstructionsBuilder(catalog ports.Catalog) *InstructionsBuilder {
	return &InstructionsBuilder{catalog: catalog}
}

// BuildInstructions implements ports.InstructionsBuilder.
func (b *InstructionsBuilder) BuildInstructions() string {
	return instructions(b.catalog.Toolboxes())
}

const noToolboxes = `No toolboxes configured.

To configure toolboxes, add them to your workbench-config.json file.
See documentation for configuration format.`

// instructions words tests/acceptance/CONTRACT.md section 3.
func instructions(toolboxes []domain.Toolbox) string {
	if len(toolboxes) == 0 {
		return noToolboxes
	}
	var text strings.Builder
	text.WriteString("## Available Toolboxes\n\n")
	for _, toolbox := range toolboxes {
		fmt.Fprintf(&text, "- **%s** (%s): %s\n", toolbox.Name, count(len(toolbox.Servers), "server"), describe(toolbox))
		text.WriteString("  - Use `open_toolbox` with toolbox name to access\n\n")
	}
	text.WriteString("To open a toolbox and see available tools:\n")
	text.WriteString("1. Call `open_toolbox` with the desired toolbox name\n")
	text.WriteString("2. Inspect the returned tools array for available operations")
	return text.String()
}

func describe(toolbox domain.Toolbox) string {
	if toolbox.Description == "" {
		return "No description provided"
	}
	return toolbox.Description
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
