package domain

import (
	"slices"
	"strings"
)

// PatternLevel is the level of the configuration that contains a pattern.
type PatternLevel int

// The levels.
const (
	// RootPattern is "tool", "server/tool" or "toolbox/server/tool".
	RootPattern PatternLevel = iota
	// ToolboxPattern is "tool" or "server/tool".
	ToolboxPattern
	// ServerPattern is "tool".
	ServerPattern
)

// maxPrefix returns how many names (of the toolbox and the server) can precede the name of a tool in
// a pattern.
func (l PatternLevel) maxPrefix() int {
	switch l {
	case RootPattern:
		return 2
	case ToolboxPattern:
		return 1
	}
	return 0
}

// ToolPattern matches tools of the servers below its level. In its text "*" matches any
// characters, slashes included, or none, and every other character matches itself. Slashes
// separate the parts.
type ToolPattern struct {
	Text  string
	Level PatternLevel
}

// Names reports whether the pattern matches the tool with that exact name. A pattern with a slash
// contains the name of a server. So a tool with a slash in its name is matched at the level of its
// server, with the server in front, or with "*" in place of the slash.
func (p ToolPattern) Names(server ServerID, tool string) bool {
	return matchesAny(p.names(server), tool)
}

// MayName is like Names, but it is also true if the whole text, slashes included, matches the tool.
func (p ToolPattern) MayName(server ServerID, tool string) bool {
	return p.Names(server, tool) || matches(p.Text, tool)
}

// names returns the patterns for the names of the server's tools, one for each way to separate the
// parts by slashes.
func (p ToolPattern) names(server ServerID) []string {
	if p.Level == ServerPattern || !strings.Contains(p.Text, "/") {
		return []string{p.Text}
	}
	names := afterName(p.Text, string(server.Server))
	if p.Level == RootPattern {
		for _, rest := range afterName(p.Text, string(server.Toolbox)) {
			names = append(names, afterName(rest, string(server.Server))...)
		}
	}
	return names
}

// covers reports whether the pattern matches every tool that another one matches, on any server. Both
// are patterns of the root. It compares them part by part, so it may be false for a pattern that does.
func (p ToolPattern) covers(other ToolPattern) bool {
	parts, others := strings.Split(p.Text, "/"), strings.Split(other.Text, "/")
	return matches(p.Text, "") || slices.EqualFunc(parts, others, matches) // only stars match ""
}

// afterName returns the rest of the text after each slash, if the text before the slash matches the name.
func afterName(text, name string) []string {
	var rests []string
	for i, c := range []byte(text) {
		if c == '/' && matches(text[:i], name) {
			rests = append(rests, text[i+1:])
		}
	}
	return rests
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, name) })
}

// matches reports whether a pattern matches a name. The name can be another pattern: then matches
// reports whether the pattern matches every name that the other one matches, since only a "*"
// matches a "*".
func matches(pattern, name string) bool {
	star, retry := -1, 0 // the last "*", and where the name continues if it matches more
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, retry = p, n
			p++
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0:
			retry++
			p, n = star+1, retry
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// ToolPatterns are the patterns of all levels that apply to a server.
type ToolPatterns []ToolPattern

// Name reports whether one of the patterns matches the tool with that exact name.
func (p ToolPatterns) Name(server ServerID, tool string) bool {
	return slices.ContainsFunc(p, func(pattern ToolPattern) bool { return pattern.Names(server, tool) })
}

// MayName reports whether one of the patterns may match the tool.
func (p ToolPatterns) MayName(server ServerID, tool string) bool {
	return slices.ContainsFunc(p, func(pattern ToolPattern) bool { return pattern.MayName(server, tool) })
}

// mayName reports whether one of the patterns may match the tool, by its exact or folded name.
func (p ToolPatterns) mayName(server ServerID, tool string) bool {
	return p.MayName(server, tool) || p.mayNameFolded(server, tool)
}

// mayNameFolded is MayName for the folded name, with the last parts of the patterns folded, too.
func (p ToolPatterns) mayNameFolded(server ServerID, tool string) bool {
	if len(p) == 0 {
		return false
	}
	tool = folded(tool)
	return slices.ContainsFunc(p, func(pattern ToolPattern) bool {
		return matches(folded(pattern.Text), tool) ||
			slices.ContainsFunc(pattern.names(server), func(name string) bool { return matches(folded(name), tool) })
	})
}

// forServer returns equivalent patterns at the level of a server. If widely is set, they match
// everything that MayName accepts.
func (p ToolPatterns) forServer(server ServerID, widely bool) ToolPatterns {
	var meant ToolPatterns
	add := func(text string) {
		if pattern := (ToolPattern{Text: text, Level: ServerPattern}); !slices.Contains(meant, pattern) {
			meant = append(meant, pattern)
		}
	}
	for _, pattern := range p {
		for _, text := range pattern.names(server) {
			add(text)
		}
		if widely {
			add(pattern.Text)
		}
	}
	return meant
}

// within reports whether the other patterns match every tool of the server that these match. It
// compares single patterns, so tools that only several others match together count as unmatched.
func (p ToolPatterns) within(other ToolPatterns, server ServerID) bool {
	return !slices.ContainsFunc(p, func(pattern ToolPattern) bool {
		return slices.ContainsFunc(pattern.names(server), func(name string) bool { return !other.Name(server, name) })
	})
}
