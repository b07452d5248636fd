package extensions

import (
	"encoding/json"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

const (
	// Skills is the identifier of the extension.
	Skills = "io.modelcontextprotocol/skills"
	// skillScheme is the scheme of the addresses of files.
	skillScheme = "skill://"
)

// DeclaresSkills reports whether the capabilities of a host or a server declare the extension.
func DeclaresSkills(capabilities json.RawMessage) bool {
	return rawjson.Kind(rawjson.Member(rawjson.Member(capabilities, "extensions"), Skills)) == '{'
}

// WithSkillAddresses returns the entry of a skill of a server with the addresses under which a host reads its files
// ("Skill Entries"). Digests and frontmatter stay as they are. Ok is false if a file has no such address.
func WithSkillAddresses(skill json.RawMessage, server domain.ServerID) (edited json.RawMessage, ok bool) {
	edited, ok = withSkillAddress(skill, server)
	edited = editList(edited, "resources", func(file []byte) []byte {
		file, isAddressed := withSkillAddress(file, server)
		ok = ok && isAddressed
		return file
	})
	return edited, ok
}

// WithChildren returns the result of reading a directory of a server, with the addresses under which a host reads the
// children ("Reading Directories"). Children without such an address are left out.
func WithChildren(result json.RawMessage, server domain.ServerID) json.RawMessage {
	return editList(result, "resources", func(child []byte) []byte {
		if edited, ok := withSkillAddress(child, server); ok {
			return edited
		}
		return nil
	})
}

// WithSkill returns the result of getting one skill of a server, with the addresses under which a host reads its files
// ("Getting a Skill"). Ok is false if a file has no such address.
func WithSkill(result json.RawMessage, server domain.ServerID) (edited json.RawMessage, ok bool) {
	skill, ok := WithSkillAddresses(rawjson.Member(result, "skill"), server)
	if !ok {
		return result, false
	}
	return rawjson.With(result, "skill", skill), true
}

func withSkillAddress(object json.RawMessage, server domain.ServerID) (edited json.RawMessage, ok bool) {
	address, ok := SkillAddress(server, rawjson.Text(rawjson.Member(object, "uri")))
	if !ok {
		return object, false
	}
	return rawjson.With(object, "uri", rawjson.Quote(address)), true
}

// SkillAddress returns the address under which a host reads a file of a skill of a server: skill://TOOLBOX/SERVER/ and
// what follows skill:// in the server's own address. If that has another scheme, as in NAME://REST, the address ends
// with NAME:/REST. Ok is false for texts that are not addresses, for long addresses, and for those with "." or ".."
// segments, which hosts may resolve to files of another server.
func SkillAddress(server domain.ServerID, own string) (address string, ok bool) {
	name, rest, ok := strings.Cut(own, "://")
	if !ok || name == "" || rest == "" || strings.Contains(name, "/") || len(own) > maxAddress || domain.PathClimbs(rest) {
		return "", false
	}
	if name != "skill" || namesScheme(rest) {
		rest = name + ":/" + rest
	}
	return skillScheme + server.URLPath() + "/" + rest, true
}

// ReadSkillAddress reverses SkillAddress: it returns the server, and the server's own address of the file. Ok is false
// for texts that SkillAddress does not return.
func ReadSkillAddress(address string) (server domain.ServerID, own string, ok bool) {
	rest, isSkill := strings.CutPrefix(address, skillScheme)
	server, rest, ok = domain.CutURLPath(rest)
	if !isSkill || !ok || len(address) > 2*maxAddress || domain.PathClimbs(rest) {
		return domain.ServerID{}, "", false
	}
	if namesScheme(rest) {
		name, behind, _ := strings.Cut(rest, ":/")
		return server, name + "://" + behind, behind != ""
	}
	return server, skillScheme + rest, true
}

// namesScheme reports whether the first segment of a path is the name of a scheme and a colon.
func namesScheme(path string) bool {
	first, _, hasMore := strings.Cut(path, "/")
	return hasMore && strings.HasSuffix(first, ":")
}
