package finding

import (
	"encoding/json"
	"regexp"

	"mcp-workbench/domain/rawjson"
)

// deprecated is how definitions mark a tool that should not be used any more. MCP has no member for it.
var deprecated = regexp.MustCompile(`\bDEPRECATED\b|(?i:^\W*deprecated\b|[\[({*]deprecated\b|\btool (?:is|has been) (?:now )?deprecated\b)`)

// Read returns what a definition says about its tool. Members whose type is not that of the protocol count
// as missing.
func Read(definition json.RawMessage) Tool {
	text := func(value json.RawMessage, name string) string { return rawjson.Text(rawjson.Member(value, name)) }
	tool := Tool{
		Name: text(definition, "name"), Title: text(definition, "title"), Description: text(definition, "description"),
	}
	if annotations := rawjson.Member(definition, "annotations"); tool.Title == "" && rawjson.Kind(annotations) == '{' {
		tool.Title = text(annotations, "title")
	}
	tool.Deprecated = deprecated.MatchString(start(tool.Title, maxName)) || deprecated.MatchString(start(tool.Description, maxDescription))
	schema := rawjson.Member(definition, "inputSchema")
	if rawjson.Kind(schema) != '{' {
		return tool
	}
	if properties := rawjson.Member(schema, "properties"); rawjson.Kind(properties) == '{' {
		_ = rawjson.EachMember(properties, func(name, _ []byte) error { // it is an object
			if len(tool.Parameters) < maxParameters {
				tool.Parameters = append(tool.Parameters, string(name))
			}
			return nil
		})
	}
	return tool
}
