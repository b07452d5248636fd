package hostfiles

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
)

// A switchboard is a member of a file, apart from the servers, that says which servers a host does not start: a
// list of their names, or an object with a boolean or {"enabled"} for each.
type switchboard struct {
	// path is its file, "" for that of the servers.
	path   string
	member []string
	// only is true if it lists the servers that the host does start.
	only bool
}

// boardsOfGemini returns those of Gemini CLI (its settings reference).
func boardsOfGemini(m Machine, _ File) []switchboard {
	return []switchboard{{path: m.home(".gemini", "mcp-server-enablement.json")}}
}

// boardsOfClaude returns those of Claude Code (its settings reference).
func boardsOfClaude(m Machine, file File) []switchboard {
	if file.project == "" {
		return nil
	}
	own := claudeFile(m)
	keys := []string{"disabledMcpServers"}
	if file.Scope == setup.Project {
		keys = append(keys, "disabledMcpjsonServers")
	}
	var boards []switchboard
	for _, name := range m.claudeProjects(own, file.project) {
		for _, key := range keys {
			boards = append(boards, switchboard{path: own, member: []string{"projects", name, key}})
		}
	}
	if file.Scope == setup.Project {
		for _, path := range []string{
			filepath.Join(m.orHome("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), m.project(".claude", "settings.json"), m.project(".claude", "settings.local.json"),
		} {
			boards = append(boards, switchboard{path: path, member: []string{"disabledMcpjsonServers"}})
		}
	}
	return boards
}

// geminiBoards are in the file of the servers.
var geminiBoards = []switchboard{
	{member: []string{"mcp", "excluded"}},
	{member: []string{"excludeMCPServers"}},
	{member: []string{"mcp", "allowed"}, only: true},
	{member: []string{"allowMCPServers"}, only: true},
}

// switchOff disables the servers of a file that the host does not start according to a switchboard, with a note.
func (f File) switchOff(servers []setup.Server, text []byte) {
	boards := f.boards
	if f.form == geminiForm {
		boards = slices.Concat(boards, geminiBoards)
	}
	for _, board := range boards {
		if len(servers) == 0 {
			return
		}
		names, exists, err := board.read(text)
		for i := range servers {
			named := slices.Contains(names, strings.ToLower(strings.TrimSpace(servers[i].Name)))
			switch {
			case err != nil:
				servers[i].Notes = append(servers[i].Notes, fmt.Sprintf("%s says which servers are off, and it cannot be read", board))
			case !exists || named == board.only:
				continue
			default:
				servers[i].Notes = append(servers[i].Notes, fmt.Sprintf("%s switches it off", board))
			}
			servers[i].Settings.Disabled = true
		}
	}
	if f.form == opencodeForm {
		switchToolsOff(servers, text)
	}
}

// String names a switchboard.
func (b switchboard) String() string {
	name := `"` + strings.Join(b.member, ".") + `" of the host`
	if b.path == "" {
		return name
	}
	return strings.TrimPrefix(name+" in ", `"" of the host in `) + b.path
}

// read returns the names on a switchboard in lower case, and whether there is one.
func (b switchboard) read(text []byte) (names []string, exists bool, err error) {
	if b.path != "" {
		if text, err = LoadIfThere(b.path); err != nil || text == nil {
			return nil, false, err
		}
	}
	if b.member == nil {
		members, err := textedit.ReadJSON(text, nil)
		return off(members), true, err
	}
	last := len(b.member) - 1
	members, err := textedit.ReadJSON(text, b.member[:last])
	if err != nil {
		return nil, false, err
	}
	for _, member := range members {
		if member.Name == b.member[last] && json.Unmarshal(member.Value, &names) == nil {
			exists = names != nil
		}
	}
	for i, name := range names {
		names[i] = strings.ToLower(strings.TrimSpace(name))
	}
	return names, exists, nil
}

// off returns the names of the members that are false, or objects that are off.
func off(members []textedit.Member) []string {
	var names []string
	for _, member := range members {
		if isFalse(member.Value) {
			names = append(names, member.Name)
		}
	}
	return names
}

// isFalse reports whether a value is false, or an object that is off.
func isFalse(value json.RawMessage) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		members = map[string]json.RawMessage{"enabled": value}
	}
	return newSource(members).isOff()
}

// with returns settings with one more key.
func with(settings map[string]string, key string) map[string]string {
	added := map[string]string{key: ""}
	maps.Copy(added, settings)
	return added
}
