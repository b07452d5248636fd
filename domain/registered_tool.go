package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// RegisteredTool is a tool of an open toolbox with a name of its own for the host
// (tests/acceptance/CONTRACT.md section 8).
type RegisteredTool struct {
	// Name is the name that the host calls.
	Name string
	// Tool is the tool with that name; its Tool is the exact name.
	Tool ToolIdentifier
	// Definition is the whole JSON object, in the server's bytes.
	Definition json.RawMessage
	// Fits is set if long results of the tool are cut. Its outputSchema does not describe those.
	Fits bool
	// HasPage is set if a page shows results of the tool to a host that renders pages.
	HasPage bool
	// ForPages is set for an entry under the server's own name for the tool. Pages of the server call
	// it; models do not see it (tests/acceptance/CONTRACT.md section 25).
	ForPages bool
}

// RegisteredTools are the registered tools at one moment. They never change.
type RegisteredTools struct {
	// Version grows with every change that a host can see.
	Version uint64
	// Tools are in the order of the configuration, and of each server's list.
	Tools []RegisteredTool
	// Taken are the names of the tools that are not registered, since another tool has the name.
	Taken map[ToolIdentifier]string

	byName map[string]ToolIdentifier
	// byOwnName are the tools that pages can call, by the names that their servers have for them.
	byOwnName map[string][]ToolIdentifier
	// withPages are the servers with pages.
	withPages map[ServerID]bool
}

// NewRegisteredTools returns the registered tools at one moment. Their names must be unique, except that
// several servers can have an entry for pages under the same name; the first of those is listed.
func NewRegisteredTools(version uint64, tools []RegisteredTool, taken map[ToolIdentifier]string) *RegisteredTools {
	r := &RegisteredTools{
		Version: version, Tools: make([]RegisteredTool, 0, len(tools)), Taken: taken,
		byName: make(map[string]ToolIdentifier, len(tools)), byOwnName: map[string][]ToolIdentifier{}, withPages: map[ServerID]bool{},
	}
	for _, tool := range tools {
		if tool.HasPage {
			r.withPages[tool.Tool.ServerID()] = true
		}
		if !tool.ForPages {
			r.byName[tool.Name] = tool.Tool
			r.Tools = append(r.Tools, tool)
			continue
		}
		if r.byOwnName[tool.Name] == nil {
			r.Tools = append(r.Tools, tool)
		}
		r.byOwnName[tool.Name] = append(r.byOwnName[tool.Name], tool.Tool)
	}
	return r
}

// AssignNames gives each name to one candidate: to the one that had it before, so that a name in use never comes to
// mean another thing, otherwise to the first. It returns the candidates that have their names, the owners of the names,
// and the names that the other candidates miss.
func AssignNames[Candidate any, ID comparable](
	candidates []Candidate, before func(name string) (ID, bool), read func(Candidate) (name string, id ID),
) (named []Candidate, owners map[string]ID, taken map[ID]string) {
	owners, taken = make(map[string]ID, len(candidates)), map[ID]string{}
	for _, candidate := range candidates {
		name, id := read(candidate)
		if owner, ok := before(name); ok && owner == id {
			owners[name] = id
		}
	}
	for _, candidate := range candidates {
		name, id := read(candidate)
		if owner, owned := owners[name]; owned && owner != id {
			taken[id] = name
			continue
		}
		owners[name] = id
		named = append(named, candidate)
	}
	return named, owners, taken
}

// ShowsAs reports whether a host sees the same in both.
func (r *RegisteredTools) ShowsAs(other *RegisteredTools) bool {
	return slices.EqualFunc(r.Tools, other.Tools, func(a, b RegisteredTool) bool {
		return a.Name == b.Name && a.Tool == b.Tool && a.Fits == b.Fits && a.ForPages == b.ForPages && string(a.Definition) == string(b.Definition)
	})
}

// Find returns the tool that is registered under a name.
func (r *RegisteredTools) Find(name string) (ToolIdentifier, bool) {
	tool, ok := r.byName[name]
	return tool, ok
}

// ForPages returns the tools that pages can call by a name that servers have for them, in the order of the
// configuration.
func (r *RegisteredTools) ForPages(name string) []ToolIdentifier { return r.byOwnName[name] }

// HasPage reports whether a page shows results of a registered tool.
func (r *RegisteredTools) HasPage(tool ToolIdentifier) bool {
	return slices.ContainsFunc(r.Tools, func(registered RegisteredTool) bool { return registered.Tool == tool && registered.HasPage })
}

// HasPages reports whether a server has pages that hosts can show.
func (r *RegisteredTools) HasPages(server ServerID) bool { return r.withPages[server] }

// Names returns the registered names of the tools of a server, by their exact names.
func (r *RegisteredTools) Names(server ServerID) map[string]string {
	names := map[string]string{}
	for _, registered := range r.Tools {
		if registered.Tool.ServerID() == server && !registered.ForPages {
			names[registered.Tool.Tool] = registered.Name
		}
	}
	return names
}

// Count returns how many tools of a toolbox are registered.
func (r *RegisteredTools) Count(toolbox ToolboxName) int {
	count := 0
	for _, registered := range r.Tools {
		if registered.Tool.Toolbox == toolbox && !registered.ForPages {
			count++
		}
	}
	return count
}

const (
	// maxNameLength is the length of the longest names of tools that every host passes on whole. The APIs of models take
	// 64 characters and hosts put a prefix before them, such as "mcp__workbench__"; Cursor takes 60 with the name of the
	// server, and Gemini CLI cuts in the middle, so that two long names become one.
	maxNameLength = 46
	// hashDigits is the number of digits of the hash at the end of a changed name.
	hashDigits = 8
)

// RegisteredName returns the name under which a tool of a server is registered:
// "toolbox__server_tool". If hosts would refuse that, each refused character becomes "-", the name
// is cut if necessary, and it ends with "_" and a hash of the three exact names. It depends on
// nothing but these names.
func RegisteredName(server ServerID, tool ToolInfo) string {
	name := string(server.Toolbox) + "__" + string(server.Server) + "_"
	if full := name + tool.Name; len(full) <= maxNameLength && strings.IndexFunc(full, refused) < 0 {
		return full
	}
	legal := strings.Map(func(r rune) rune {
		if refused(r) {
			return '-'
		}
		return r
	}, name+tool.Shown)
	exact := sha256.Sum256([]byte(string(server.Toolbox) + "\x00" + string(server.Server) + "\x00" + tool.Name))
	hash := hex.EncodeToString(exact[:])[:hashDigits]
	return legal[:min(len(legal), maxNameLength-hashDigits-1)] + "_" + hash
}

// refused reports whether hosts refuse a character in the name of a tool.
func refused(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	digit := r >= '0' && r <= '9'
	return !letter && !digit && r != '_' && r != '-'
}
