// Package extensions reads and edits what servers say in the terms of two extensions of MCP: the pages of tools,
// io.modelcontextprotocol/ui (SEP-1865; specification/2026-01-26/apps.mdx of modelcontextprotocol/ext-apps), and
// skills, io.modelcontextprotocol/skills (SEP-2640; specification/stable/skills.mdx of
// modelcontextprotocol/ext-skills). It gives the pages and files of several servers addresses that tell them apart. It
// edits JSON text, so that everything else keeps its bytes. It does no I/O.
package extensions

import (
	"encoding/json"

	"mcp-workbench/domain/rawjson"
)

// maxAddress is the longest accepted address of a page or of a file, in bytes.
const maxAddress = 2 << 10

// editList returns an object with an edited list in a member, and the object itself if there is no list.
func editList(object json.RawMessage, member string, edit func(element []byte) []byte) json.RawMessage {
	list := rawjson.Member(object, member)
	if rawjson.Kind(list) != '[' {
		return object
	}
	return rawjson.With(object, member, rawjson.EditElements(list, edit))
}
