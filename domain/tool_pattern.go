package domain

import (
	"slices"
	"strings"
)

// PatternLevel is where in the configuration a pattern stands.
type PatternLevel int

// The levels.
const (
	// RootPattern may be "tool", "server/tool" or "toolbox/server/tool".
	RootPattern PatternLevel = iota
	// ToolboxPattern may be "tool" or "server/tool".
	ToolboxPattern
	// ServerPattern is "tool".
	ServerPattern
)

// maxPrefix returns how many names, those of the toolbox and the server, can precede that of a
// tool in a pattern.
func (l PatternLevel) maxPrefix() int {
	switch l {
	case RootPattern:
		return 2
	case ToolboxPattern:
		return 1
	}
	return 0
}

// ToolPattern names tools of the servers below its level. In its text "*" stands for any
// characters or none, and every other character for itself. A slash separates the parts, and
// "*" stands for slashes too.
type ToolPattern struct {
	Text  string
	Level PatternLevel
}

// Names reports whether the pattern names the tool of that exact name. A pattern with a
// slash names a server, so a tool whose own name has a slash is named at the level of its
// server, with its server in front, or with "*" for the slash.
func (p ToolPattern) Names(server ServerID, tool string) bool {
	return matchesAny(p.names(server), tool)
}

// MayName is Names, and true as well when the whole text is the name of the tool, slashes
// included.
func (p ToolPattern) MayName(server ServerID, tool string) bool {
	return p.Names(server, tool) || matches(p.Text, tool)
}

// names returns the patterns that the names of the server's tools have to match. It is one
// for each way in which slashes can separate the parts.
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

// covers reports whether the pattern names every tool that another one names, whatever the
// server, both at the root. It compares them part by part, so it may be false all the same.
func (p ToolPattern) covers(other ToolPattern) bool {
	parts, others := strings.Split(p.Text, "/"), strings.Split(other.Text, "/")
	return matches(p.Text, "") || slices.EqualFunc(parts, others, matches) // only stars match nothing
}

// afterName returns what follows a slash if what is in front of it matches the name, for
// each slash of the text.
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

// matches reports whether a name is what a pattern stands for. For the text of another
// pattern in place of the name it reports whether the pattern stands for every name that
// the other one stands for: a "*" of it matches nothing but a "*".
func matches(pattern, name string) bool {
	star, retry := -1, 0 // the last "*", and where the name goes on when it stands for more
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

// ToolPatterns are the patterns of all levels that reach a server.
type ToolPatterns []ToolPattern

// Name reports whether one of the patterns names the tool of that exact name.
func (p ToolPatterns) Name(server ServerID, tool string) bool {
	return slices.ContainsFunc(p, func(one ToolPattern) bool { return one.Names(server, tool) })
}

// MayName reports whether one of the patterns may name the tool.
func (p ToolPatterns) MayName(server ServerID, tool string) bool {
	return slices.ContainsFunc(p, func(one ToolPattern) bool { return one.MayName(server, tool) })
}

// mayName reports whether one of the patterns may name the tool, by its name or by the folded
// one.
func (p ToolPatterns) mayName(server ServerID, tool string) bool {
	return p.MayName(server, tool) || p.mayNameFolded(server, tool)
}

// mayNameFolded is MayName for the folded name, by patterns whose last part is folded too.
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

// forServer returns what the patterns mean for the tools of a server, as patterns of that server.
// With widely set it includes everything that they may mean.
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

// within reports whether the other patterns name every tool of the server that these name,
// pattern by pattern: what two others name together may count as not named.
func (p ToolPatterns) within(other ToolPatterns, server ServerID) bool {
	return !slices.ContainsFunc(p, func(one ToolPattern) bool {
		return slices.ContainsFunc(one.names(server), func(name string) bool { return !other.Name(server, name) })
	})
}
