package listings

import (
	"encoding/json"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// namesOnly replaces the capabilities of a host for files that have only the names of tools and
// their arguments.
var namesOnly = json.RawMessage(`"names"`)

// maxKeys is the number of argument names that are kept for a tool.
const maxKeys = 100

// KeepNames replaces what Names and Keys return for the server.
func (f *Folder) KeepNames(server domain.Server, tools []domain.ToolInfo) error {
	var kept []domain.ToolInfo
	for _, tool := range tools {
		isKept := slices.ContainsFunc(kept, func(other domain.ToolInfo) bool { return other.Name == tool.Shown })
		if tool.Shown == "" || isKept {
			continue
		}
		definition := rawjson.Object{}.Text("name", tool.Shown).Texts("keys", keysOf(tool.Definition)).JSON()
		kept = append(kept, domain.ToolInfo{Name: tool.Shown, Definition: definition})
	}
	return f.keep(server, namesOnly, "", ports.KeptList{Tools: kept})
}

// keysOf returns the names of a tool's arguments.
func keysOf(definition json.RawMessage) []string {
	keys := []string{}
	properties := rawjson.Member(rawjson.Member(definition, "inputSchema"), "properties")
	if rawjson.Kind(properties) != '{' {
		return keys
	}
	_ = rawjson.EachMember(properties, func(name, _ []byte) error { // the definition is valid
		if len(keys) < maxKeys {
			keys = append(keys, string(name))
		}
		return nil
	})
	return keys
}

// Names returns the tool names that were kept last for the server with its present settings, or nil.
func (f *Folder) Names(server domain.Server) []string {
	list, _, err := f.find(server, namesOnly, "")
	if err != nil {
		return nil
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// Keys returns the names of a tool's arguments that were kept last, or nil.
func (f *Folder) Keys(server domain.Server, name string) []string {
	list, _, err := f.find(server, namesOnly, "")
	if err != nil {
		return nil
	}
	var keys []string
	for _, tool := range list.Tools {
		if tool.Name == name {
			_ = json.Unmarshal(rawjson.Member(tool.Definition, "keys"), &keys) // others may have written it
		}
	}
	return keys
}
