package definitions

import "mcp-workbench/domain"

// Summary returns the first sentence of a tool's description as one clean line, "" when it has
// none.
func Summary(tool domain.ToolInfo) string { return readDefinition(tool).sentence() }
