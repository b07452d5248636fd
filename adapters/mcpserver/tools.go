package mcpserver

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
)

// The names of the two tools.
const (
	openToolboxName = "open_toolbox"
	useToolName     = "use_tool"
)

var (
	//go:embed text/open_toolbox.md
	openToolboxText string
	//go:embed text/open_toolbox.schema.json
	openToolboxSchema string
	//go:embed text/use_tool.md
	useToolText string
	//go:embed text/use_tool.schema.json
	useToolSchema string
)

// longestAnswer is how many characters of an open_toolbox answer a host that
// cuts results should let through.
const longestAnswer = 500_000

// openToolboxTool defines open_toolbox. Its description ends with the toolboxes,
// for hosts that drop instructions.
func openToolboxTool(toolboxes []domain.Toolbox) mcp.Tool {
	tool := metaTool(openToolboxName, openToolboxText+toolboxLines(toolboxes), openToolboxSchema)
	tool.Annotations.Title = "Open toolbox"
	tool.Annotations.ReadOnlyHint = mcp.ToBoolPtr(false)
	tool.Annotations.DestructiveHint = mcp.ToBoolPtr(false)
	tool.Annotations.IdempotentHint = mcp.ToBoolPtr(true)
	tool.Annotations.OpenWorldHint = mcp.ToBoolPtr(false)
	tool.Meta.AdditionalFields["anthropic/maxResultSizeChars"] = longestAnswer
	return tool
}

// useToolTool defines use_tool, which may do whatever any tool may do.
func useToolTool() mcp.Tool {
	tool := metaTool(useToolName, useToolText, useToolSchema)
	tool.Annotations.Title = "Use tool"
	tool.Annotations.ReadOnlyHint = mcp.ToBoolPtr(false)
	tool.Annotations.DestructiveHint = mcp.ToBoolPtr(true)
	tool.Annotations.IdempotentHint = mcp.ToBoolPtr(false)
	tool.Annotations.OpenWorldHint = mcp.ToBoolPtr(true)
	return tool
}

func metaTool(name, description, schema string) mcp.Tool {
	tool := mcp.NewToolWithRawSchema(name, strings.TrimSpace(description), json.RawMessage(schema))
	// Hosts that defer tools until they are searched for would hide the way in.
	tool.Meta = &mcp.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	return tool
}

func toolboxLines(toolboxes []domain.Toolbox) string {
	if len(toolboxes) == 0 {
		return "\nNo toolboxes configured."
	}
	var lines strings.Builder
	lines.WriteString("\nToolboxes:")
	for _, toolbox := range toolboxes {
		fmt.Fprintf(&lines, "\n- %s", toolbox.Name)
		if toolbox.Description != "" {
			fmt.Fprintf(&lines, ": %s", toolbox.Description)
		}
	}
	return lines.String()
}
