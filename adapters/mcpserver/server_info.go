package mcpserver

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"

	"mcp-workbench/domain/rawjson"
)

//go:embed icon.svg
var icon []byte

// describe returns the description of the workbench that hosts show: an Implementation of the protocol, with a
// title and an icon (SEP-973).
func describe(version Version) json.RawMessage {
	picture := rawjson.Object{}.
		Text("src", "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString(icon)).
		Text("mimeType", "image/svg+xml").
		Texts("sizes", []string{"any"}).
		JSON()
	return rawjson.Object{}.
		Text("name", Name).
		Text("title", "MCP Workbench").
		Text("version", string(version)).
		Raw("icons", append(append([]byte{'['}, picture...), ']')).
		JSON()
}
