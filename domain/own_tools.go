package domain

// The names of the workbench's own tools. ToolReadTool and ToolFindTool exist if they are configured,
// ToolReadResult if results are cut to fit, ToolCloseToolbox only in dynamic mode.
const (
	ToolOpenToolbox  = "open_toolbox"
	ToolUseTool      = "use_tool"
	ToolReadTool     = "read_tool"
	ToolReadResult   = "read_result"
	ToolFindTool     = "find_tool"
	ToolCloseToolbox = "close_toolbox"
)
