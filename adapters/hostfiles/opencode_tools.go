package hostfiles

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// notInName are the characters that opencode replaces by "_" in the names of servers.
var notInName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// switchToolsOff adds the tools that opencode switches off at its root, "SERVER_TOOL": false, to the filters of
// servers. With "SERVER_*": false a server is off but for the tools that are true, since a longer pattern counts more.
// Agents can have others on, so its entry stays in the host.
func switchToolsOff(servers []setup.Server, text []byte) {
	members, err := textedit.ReadJSON(text, []string{"tools"})
	if err != nil {
		return // there is no object
	}
	slices.SortStableFunc(members, func(a, b textedit.Member) int { return cmp.Compare(len(a.Name), len(b.Name)) })
	for i := range servers {
		switchToolsOfServer(&servers[i], members)
	}
}

// switchToolsOfServer applies patterns, the shortest first, to a server.
func switchToolsOfServer(server *setup.Server, patterns []textedit.Member) {
	prefix := notInName.ReplaceAllString(server.Name, "_") + "_"
	var on, off []string
	allOff, unclear := "", ""
	for _, pattern := range patterns {
		isOn := string(pattern.Value) == "true"
		start, rest, hasWildcard := cutWildcard(pattern.Name)
		tool, isTool := strings.CutPrefix(pattern.Name, prefix)
		switch {
		case hasWildcard && rest == "" && strings.HasPrefix(prefix, start):
			if allOff = pattern.Name; isOn {
				allOff = ""
			}
		case hasWildcard && !isOn && (strings.HasPrefix(prefix, start) || strings.HasPrefix(start, prefix)):
			unclear = pattern.Name
		case hasWildcard || !isTool || tool == "":
			continue
		case isOn:
			on = append(on, tool)
			continue
		default:
			off = append(off, tool)
		}
		if !isOn {
			server.Settings.Untranslated = with(server.Settings.Untranslated, "tools."+pattern.Name)
		}
	}
	filter := filterOf(server.Settings)
	switch {
	case unclear != "":
		server.Settings.Disabled = true
		server.Notes = append(server.Notes, fmt.Sprintf(`"tools.%s" of the host is a pattern, which toolFilters cannot leave out: name the tools there and enable the server`, unclear))
	case allOff != "" && len(on) == 0:
		server.Settings.Disabled = true
		server.Notes = append(server.Notes, fmt.Sprintf(`"tools.%s" of the host switches it off`, allOff))
	case allOff != "":
		filter = filter.And(domain.OnlyTools(on))
	}
	server.Settings.ToolFilters = entries(filter.And(leavingOut(off)))
}

// cutWildcard returns the text before the first wildcard of a pattern and the text after it. A "?" stays in the rest.
func cutWildcard(pattern string) (start, rest string, found bool) {
	at := strings.IndexAny(pattern, "*?")
	if at < 0 {
		return pattern, "", false
	}
	if pattern[at] == '?' {
		return pattern[:at], pattern[at:], true
	}
	return pattern[:at], pattern[at+1:], true
}

// places returns the paths at which a text of the file has servers, the one for new servers first. opencode 2 has them one
// level deeper than opencode 1 in the same files, and each version reads both paths.
func (f File) places(text []byte) [][]string {
	if f.form != opencodeForm {
		return [][]string{f.member}
	}
	deeper := append(slices.Clone(f.member), "servers")
	members, err := textedit.ReadJSON(text, deeper)
	// A server of opencode 1 with this name has members that are no objects.
	isServer := slices.ContainsFunc(members, func(m textedit.Member) bool { return !bytes.HasPrefix(m.Value, []byte("{")) })
	if err != nil || members == nil || isServer {
		return [][]string{f.member}
	}
	return [][]string{deeper, f.member}
}

// at returns the path of a server in a text of the file, where it is or would be written.
func (f File) at(text []byte, name string) []string {
	places := f.places(text)
	for _, place := range places[1:] {
		members, _ := f.format().Read(text, place) // what cannot be read is not there
		known, _ := f.format().Read(text, places[0])
		has := func(m textedit.Member) bool { return m.Name == name }
		if slices.ContainsFunc(members, has) && !slices.ContainsFunc(known, has) {
			return append(slices.Clone(place), name)
		}
	}
	return append(slices.Clone(places[0]), name)
}
