package wording

import (
	"encoding/json"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// notReadOnly says why read_tool does not call a tool.
func notReadOnly(refused *domain.NotReadOnlyError) string {
	why := "it is not one of the tools that only read"
	if refused.NeedsYes {
		why = "the user wants to be asked before each call of it"
	}
	tool := refused.Tool
	return fmt.Sprintf("%s in %s cannot be called with %s: %s.\nCall it with %s and the same parameters.",
		toolOf(tool), serverOf(tool), domain.ToolReadTool, why, domain.ToolUseTool)
}

// readOnlyTools returns the tools for read_tool as an object with a list for each server
// that has some, or "*" for all tools of a server; nil if there are none.
func readOnlyTools(servers []domain.OpenedServer) json.RawMessage {
	var object rawjson.Object
	for _, server := range servers {
		var names []string
		for _, tool := range server.Tools {
			if server.OnlyRead[tool.Name] {
				names = append(names, tool.Shown)
			}
		}
		switch {
		case names == nil:
			continue
		case server.AllOnlyRead:
			object = object.Text(string(server.ID.Server), "*")
		default:
			object = object.Texts(string(server.ID.Server), names)
		}
	}
	if object.IsEmpty() {
		return nil
	}
	return object.JSON()
}

// WithoutReadTool returns an opened toolbox as it is shown if there is no read_tool.
func WithoutReadTool(opened domain.OpenedToolbox) domain.OpenedToolbox {
	servers := make([]domain.OpenedServer, len(opened.Servers))
	for i, server := range opened.Servers {
		server.OnlyRead, server.AllOnlyRead = nil, false
		servers[i] = server
	}
	opened.Servers = servers
	return opened
}
