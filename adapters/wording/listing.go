package wording

import (
	"fmt"
	"strings"

	"mcp-workbench/domain"
)

const noToolboxes = `No toolboxes configured.

To configure toolboxes, add them to your workbench-config.json file.
See documentation for configuration format.`

// listing returns the instructions for hosts that pass them on whole
// (tests/acceptance/CONTRACT.md section 3). The same toolboxes give the same bytes.
func listing(toolboxes []domain.Toolbox) string {
	if len(toolboxes) == 0 {
		return noToolboxes
	}
	var text strings.Builder
	text.WriteString("## Available Toolboxes\n\n")
	for _, toolbox := range toolboxes {
		fmt.Fprintf(&text, "- **%s** (%s): %s\n", toolbox.Name, domain.Counted(len(toolbox.Servers), "server"), describe(toolbox))
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
