package mcpserver

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"mcp-workbench/domain"
)

// The names of the workbench's own tools. The last is there in dynamic mode only.
const (
	openToolboxName  = "open_toolbox"
	useToolName      = "use_tool"
	closeToolboxName = "close_toolbox"
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
	//go:embed text/close_toolbox.md
	closeToolboxText string
	//go:embed text/close_toolbox.schema.json
	closeToolboxSchema string
)

// longestAnswer is how many characters of an open_toolbox answer a host that
// cuts results should let through.
const longestAnswer = 500_000

// tool is the definition of one of the workbench's own tools.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations annotations     `json:"annotations"`
	Meta        map[string]any  `json:"_meta"`
}

type annotations struct {
	Title       string `json:"title"`
	ReadOnly    bool   `json:"readOnlyHint"`
	Destructive bool   `json:"destructiveHint"`
	Idempotent  bool   `json:"idempotentHint"`
	OpenWorld   bool   `json:"openWorldHint"`
}

// alwaysLoad keeps a tool in sight of models whose hosts defer tools until they
// are searched for.
const alwaysLoad = "anthropic/alwaysLoad"

// ownTools defines the tools that are there at all times.
func ownTools(toolboxes []domain.Toolbox, dynamic bool) []tool {
	tools := []tool{openToolboxTool(toolboxes, dynamic), useToolTool()}
	if dynamic {
		tools = append(tools, closeToolboxTool())
	}
	return tools
}

// registeredText says in the description of open_toolbox what becomes of the tools
// in dynamic mode.
const registeredText = " While the toolbox is open, its tools are also tools of their own, each by its registered_name."

// openToolboxTool defines open_toolbox. Its description ends with the toolboxes,
// for hosts that drop instructions.
func openToolboxTool(toolboxes []domain.Toolbox, dynamic bool) tool {
	text := strings.TrimSpace(openToolboxText)
	if dynamic {
		text += registeredText
	}
	return tool{
		Name:        openToolboxName,
		Description: text + toolboxLines(toolboxes),
		InputSchema: json.RawMessage(openToolboxSchema),
		Annotations: annotations{Title: "Open toolbox", Idempotent: true},
		Meta:        map[string]any{alwaysLoad: true, "anthropic/maxResultSizeChars": longestAnswer},
	}
}

// useToolTool defines use_tool, which may do whatever any tool may do.
func useToolTool() tool {
	return tool{
		Name:        useToolName,
		Description: strings.TrimSpace(useToolText),
		InputSchema: json.RawMessage(useToolSchema),
		Annotations: annotations{Title: "Use tool", Destructive: true, OpenWorld: true},
		Meta:        map[string]any{alwaysLoad: true},
	}
}

// closeToolboxTool defines close_toolbox. What its servers hold in memory is gone
// afterwards.
func closeToolboxTool() tool {
	return tool{
		Name:        closeToolboxName,
		Description: strings.TrimSpace(closeToolboxText),
		InputSchema: json.RawMessage(closeToolboxSchema),
		Annotations: annotations{Title: "Close toolbox", Destructive: true, Idempotent: true},
		Meta:        map[string]any{alwaysLoad: true},
	}
}

func toolboxLines(toolboxes []domain.Toolbox) string {
	if len(toolboxes) == 0 {
		return "\n\nNo toolboxes configured."
	}
	var lines strings.Builder
	lines.WriteString("\n\nToolboxes:")
	for _, toolbox := range toolboxes {
		fmt.Fprintf(&lines, "\n- %s", toolbox.Name)
		if toolbox.Description != "" {
			fmt.Fprintf(&lines, ": %s", toolbox.Description)
		}
	}
	return lines.String()
}
