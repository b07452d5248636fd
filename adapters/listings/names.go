package listings

import (
	"encoding/json"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// namesOnly stands for the capabilities of a host where only the names of tools are kept.
var namesOnly = json.RawMessage(`"names"`)

// KeepNames replaces what Names returns for the server.
func (f *Folder) KeepNames(server domain.Server, names []string) error {
	var tools []domain.ToolInfo
	for i, name := range names {
		if name != "" && !slices.Contains(names[:i], name) {
			tools = append(tools, domain.ToolInfo{Name: name, Definition: rawjson.Object{}.Text("name", name).JSON()})
		}
	}
	return f.keep(server, namesOnly, tools)
}

// Names returns the tool names that were kept last for the server with its present settings, or nil.
func (f *Folder) Names(server domain.Server) []string {
	tools, _, err := f.find(server, namesOnly)
	if err != nil {
		return nil
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	return names
}
