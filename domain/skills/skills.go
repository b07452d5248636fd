package skills

import (
	"encoding/json"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// Extension is the identifier of the extension.
const Extension = "io.modelcontextprotocol/skills"

// Declared reports whether the capabilities of a host or a server declare the extension.
func Declared(capabilities json.RawMessage) bool {
	return rawjson.Kind(rawjson.Member(rawjson.Member(capabilities, "extensions"), Extension)) == '{'
}

// WithAddresses returns the entry of a skill of a server with the addresses under which a host reads its files
// ("Skill Entries"). Digests and frontmatter stay as they are. Ok is false if a file has no such address.
func WithAddresses(skill json.RawMessage, server domain.ServerID) (edited json.RawMessage, ok bool) {
	edited, ok = withAddress(skill, server)
	if files := rawjson.Member(skill, "resources"); rawjson.Kind(files) == '[' {
		edited = rawjson.With(edited, "resources", rawjson.EditElements(files, func(file []byte) []byte {
			file, isAddressed := withAddress(file, server)
			ok = ok && isAddressed
			return file
		}))
	}
	return edited, ok
}

// WithChildren returns the result of reading a directory of a server, with the addresses under which a host reads the
// children ("Reading Directories"). Children without such an address are left out.
func WithChildren(result json.RawMessage, server domain.ServerID) json.RawMessage {
	children := rawjson.Member(result, "resources")
	if rawjson.Kind(children) != '[' {
		return result
	}
	return rawjson.With(result, "resources", rawjson.EditElements(children, func(child []byte) []byte {
		if edited, ok := withAddress(child, server); ok {
			return edited
		}
		return nil
	}))
}

// WithSkill returns the result of getting one skill of a server, with the addresses under which a host reads its files
// ("Getting a Skill"). Ok is false if a file has no such address.
func WithSkill(result json.RawMessage, server domain.ServerID) (edited json.RawMessage, ok bool) {
	skill, ok := WithAddresses(rawjson.Member(result, "skill"), server)
	if !ok {
		return result, false
	}
	return rawjson.With(result, "skill", skill), true
}

func withAddress(object json.RawMessage, server domain.ServerID) (edited json.RawMessage, ok bool) {
	address, ok := Address(server, rawjson.Text(rawjson.Member(object, "uri")))
	if !ok {
		return object, false
	}
	return rawjson.With(object, "uri", rawjson.Quote(address)), true
}
