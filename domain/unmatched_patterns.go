package domain

import (
	"fmt"
	"slices"
	"strings"
)

// ListedTools is what is known of the tools of a server.
type ListedTools struct {
	Server Server
	// Names are the exact names of all its tools, those that a filter leaves out too.
	Names []string
	// Known is set when they are known.
	Known bool
}

// ListTools returns what is known of the tools of all servers, by a function that says it of
// each. Of servers that the configuration leaves out nothing is known.
func ListTools(toolboxes []Toolbox, namesOf func(ServerID) (names []string, known bool)) []ListedTools {
	var listed []ListedTools
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			names, known := namesOf(server.ID)
			listed = append(listed, ListedTools{Server: server, Names: names, Known: known})
		}
		for _, name := range toolbox.Disabled {
			listed = append(listed, ListedTools{Server: Server{ID: ServerID{Toolbox: toolbox.Name, Server: name}}})
		}
	}
	return listed
}

// PatternPlace is where a pattern stands in the configuration.
type PatternPlace struct {
	// Key is the setting that it is in: "confirm" or "readOnly".
	Key     string
	Pattern ToolPattern
	// Toolbox and Server are what it stands in, "" above that.
	Toolbox ToolboxName
	Server  ServerName
}

// UnmatchedPattern is a pattern that names no tool, most often by a mistake in it.
type UnmatchedPattern struct {
	PatternPlace
	// Nearest are up to three patterns that were probably meant.
	Nearest []string
}

// String says it in a line without an end.
func (u UnmatchedPattern) String() string {
	where := ""
	switch {
	case u.Server != "":
		where = fmt.Sprintf(" of server %s in toolbox %s", QuotedName(u.Server), QuotedName(u.Toolbox))
	case u.Toolbox != "":
		where = fmt.Sprintf(" of toolbox %s", QuotedName(u.Toolbox))
	}
	line := fmt.Sprintf(`"%s"%s names %s, which is no tool`, u.Key, where, QuotedName(u.Pattern.Text))
	if len(u.Nearest) > 0 {
		quoted := make([]string, len(u.Nearest))
		for i, name := range u.Nearest {
			quoted[i] = QuotedName(name)
		}
		line += fmt.Sprintf("; did you mean %s?", strings.Join(quoted, " or "))
	}
	return line
}

// UnmatchedPatterns returns the patterns in the approvals of servers that name no tool of
// any of these servers, each once. One that may name a tool of a server whose tools are not
// known is not among them.
func UnmatchedPatterns(servers []ListedTools) []UnmatchedPattern {
	var unmatched []UnmatchedPattern
	judged := map[PatternPlace]bool{}
	for _, one := range servers {
		for _, place := range placesOf(one.Server) {
			if judged[place] {
				continue
			}
			judged[place] = true
			reached := slices.DeleteFunc(slices.Clone(servers), func(s ListedTools) bool { return !place.reaches(s.Server.ID) })
			if nearest, isUnmatched := place.judge(reached); isUnmatched {
				unmatched = append(unmatched, UnmatchedPattern{PatternPlace: place, Nearest: nearest})
			}
		}
	}
	return unmatched
}

// placesOf returns the patterns that count for a server.
func placesOf(server Server) []PatternPlace {
	var places []PatternPlace
	add := func(key string, patterns ToolPatterns) {
		for _, pattern := range patterns {
			if server.Approvals.ConfirmDestructive && pattern.Text == Destructive {
				continue // which is a tool by the way only
			}
			place := PatternPlace{Key: key, Pattern: pattern}
			if pattern.Level >= ToolboxPattern {
				place.Toolbox = server.ID.Toolbox
			}
			if pattern.Level == ServerPattern {
				place.Server = server.ID.Server
			}
			places = append(places, place)
		}
	}
	add("confirm", server.Approvals.Confirm)
	add("readOnly", server.Approvals.ReadOnly)
	return places
}

// reaches reports whether a pattern in that place counts for a server.
func (p PatternPlace) reaches(server ServerID) bool {
	return (p.Toolbox == "" || p.Toolbox == server.Toolbox) && (p.Server == "" || p.Server == server.Server)
}

// judge reports whether the pattern names no tool of the servers, and what is near.
func (p PatternPlace) judge(servers []ListedTools) (nearest []string, unmatched bool) {
	namesServer, unknown := false, false
	var candidates []candidate
	for _, one := range servers {
		id := one.Server.ID
		isNamed := len(p.Pattern.names(id)) > 0
		namesServer = namesServer || isNamed
		unknown = unknown || isNamed && !one.Known
		for _, tool := range one.Names {
			if p.Pattern.Names(id, tool) || p.Key == "confirm" && p.Pattern.MayName(id, tool) {
				return nil, false
			}
		}
		candidates = append(candidates, p.candidates(one)...)
	}
	if namesServer && unknown {
		return nil, false
	}
	return nearestTo(p.Pattern.Text, candidates), true
}

// candidate is a pattern that may be meant.
type candidate struct {
	text string
	// meant are the texts that it is probably meant by: its own, what names the same at a level
	// above it, or the registered name of the tool.
	meant []string
}

// candidates returns how the pattern could name the tools of a server: with as many parts
// as it has and its level allows.
func (p PatternPlace) candidates(one ListedTools) []candidate {
	server := string(one.Server.ID.Server) + "/"
	toolbox := string(one.Server.ID.Toolbox) + "/" + server
	prefixes := []string{"", server, toolbox}
	parts := min(strings.Count(p.Pattern.Text, "/"), 2)
	allowed := min(parts, 2-int(p.Pattern.Level))
	names := one.Names
	if parts > 0 && !one.Known { // then the server may be what is misspelt
		names = []string{p.Pattern.Text[strings.LastIndexByte(p.Pattern.Text, '/')+1:]}
	}
	exact := prefixes[ServerPattern-p.Pattern.Level]
	var candidates []candidate
	for _, name := range names {
		likely := candidate{text: prefixes[allowed] + name}
		for _, prefix := range prefixes[allowed : parts+1] {
			likely.meant = append(likely.meant, prefix+name)
		}
		candidates = append(candidates, likely)
		if strings.Contains(p.Pattern.Text, "__") { // as registered names do
			registered := RegisteredName(one.Server.ID, ToolInfo{Name: name, Shown: ShownText(name)})
			candidates = append(candidates, candidate{text: exact + name, meant: []string{registered}})
		}
	}
	return candidates
}

// maxNearest is how many patterns are named that were probably meant.
const maxNearest = 3

// nearestTo returns the candidates that a pattern is most likely a misspelling for, the
// nearest first.
func nearestTo(pattern string, candidates []candidate) []string {
	literal := len([]rune(strings.ReplaceAll(pattern, "*", "")))
	far := min(3, literal/3) + 1
	byDistance := make([][]string, far)
	for _, one := range candidates {
		d := far
		for _, meant := range one.meant {
			d = min(d, patternDistance([]rune(pattern), []rune(meant)))
		}
		if d < far && !slices.Contains(byDistance[d], one.text) {
			byDistance[d] = append(byDistance[d], one.text)
		}
	}
	nearest := slices.Concat(byDistance...)
	return nearest[:min(len(nearest), maxNearest)]
}

// patternDistance counts the mistakes in a pattern that stands for a name otherwise: a
// letter too many, missing or wrong, or two swapped, as distance does.
func patternDistance(pattern, name []rune) int {
	rows := make([][]int, len(pattern)+1)
	for i := range rows {
		rows[i] = make([]int, len(name)+1)
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i, p := range pattern {
		row, before := rows[i+1], rows[i]
		if row[0] = before[0]; p != '*' {
			row[0]++
		}
		for j, n := range name {
			if p == '*' {
				row[j+1] = min(before[j+1], row[j])
				continue
			}
			wrong := before[j]
			if p != n {
				wrong++
			}
			row[j+1] = min(wrong, before[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && p == name[j-1] && pattern[i-1] == n {
				row[j+1] = min(row[j+1], rows[i-1][j-1]+1)
			}
		}
	}
	return rows[len(pattern)][len(name)]
}
