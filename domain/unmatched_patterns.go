package domain

import (
	"slices"
	"strings"
)

// ListedTools are the known tools of a server.
type ListedTools struct {
	Server Server
	// Names are the exact names of all tools, including those that a filter leaves out.
	Names []string
	// Known is set when the tools are known.
	Known bool
}

// ListTools returns the known tools of all servers. The tools of disabled servers are not known.
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

// PatternPlace is a pattern and its place in the configuration.
type PatternPlace struct {
	// Key is the setting that contains it: "confirm" or "readOnly".
	Key     string
	Pattern ToolPattern
	// Toolbox and Server contain the setting; they are "" above that level.
	Toolbox ToolboxName
	Server  ServerName
	// IsOfPlugin says that the server is one of a plugin.
	IsOfPlugin bool
}

// UnmatchedPattern is a pattern that matches no tool, most often by mistake.
type UnmatchedPattern struct {
	PatternPlace
	// Nearest are up to three patterns that were probably meant.
	Nearest []string
}

// UnmatchedPatterns returns the patterns in the approvals of servers that match no tool of any of
// these servers, each once. It leaves out patterns that may match a tool of a server whose tools
// are not known.
func UnmatchedPatterns(servers []ListedTools) []UnmatchedPattern {
	var unmatched []UnmatchedPattern
	judged := map[PatternPlace]bool{}
	for _, listed := range servers {
		for _, place := range placesOf(listed.Server) {
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

// placesOf returns the patterns that apply to a server.
func placesOf(server Server) []PatternPlace {
	var places []PatternPlace
	add := func(key string, patterns ToolPatterns) {
		for _, pattern := range patterns {
			if server.Approvals.ConfirmDestructive && pattern.Text == Destructive {
				continue // it is hardly meant as the name of a tool
			}
			place := PatternPlace{Key: key, Pattern: pattern}
			if pattern.Level >= ToolboxPattern {
				place.Toolbox = server.ID.Toolbox
			}
			if pattern.Level == ServerPattern {
				place.Server, place.IsOfPlugin = server.ID.Server, server.IsOfPlugin
			}
			places = append(places, place)
		}
	}
	add("confirm", server.Approvals.Confirm)
	add("readOnly", server.Approvals.ReadOnly)
	return places
}

// reaches reports whether a pattern in that place applies to a server.
func (p PatternPlace) reaches(server ServerID) bool {
	return (p.Toolbox == "" || p.Toolbox == server.Toolbox) && (p.Server == "" || p.Server == server.Server)
}

// judge reports whether the pattern matches no tool of the servers, and what may have been meant.
func (p PatternPlace) judge(servers []ListedTools) (meant []string, unmatched bool) {
	namesServer, unknown := false, false
	var spellings []spelling
	for _, listed := range servers {
		id := listed.Server.ID
		isNamed := len(p.Pattern.names(id)) > 0
		namesServer = namesServer || isNamed
		unknown = unknown || isNamed && !listed.Known
		for _, tool := range listed.Names {
			if p.Pattern.Names(id, tool) || p.Key == "confirm" && p.Pattern.MayName(id, tool) {
				return nil, false
			}
		}
		spellings = append(spellings, p.spellings(listed)...)
	}
	if namesServer && unknown {
		return nil, false
	}
	return nearest(p.Pattern.Text, '*', spellings), true
}

// spellings returns the patterns that could be meant, which name the tools of a server with as many
// parts as the pattern has and its level allows. It also returns them as they may have been written by
// mistake: with parts that only a higher level allows, or as the registered name of the tool.
func (p PatternPlace) spellings(listed ListedTools) []spelling {
	server := string(listed.Server.ID.Server) + "/"
	prefixes := []string{"", server, string(listed.Server.ID.Toolbox) + "/" + server}
	allowed := p.Pattern.Level.maxPrefix()
	written := min(strings.Count(p.Pattern.Text, "/"), RootPattern.maxPrefix())
	prefix := min(written, allowed)
	names := listed.Names
	if written > 0 && !listed.Known { // then the server may be misspelt
		names = []string{p.Pattern.Text[strings.LastIndexByte(p.Pattern.Text, '/')+1:]}
	}
	var spellings []spelling
	for _, name := range names {
		for _, longer := range prefixes[prefix : written+1] {
			spellings = append(spellings, spelling{written: longer + name, meant: prefixes[prefix] + name})
		}
		if strings.Contains(p.Pattern.Text, "__") { // as registered names do
			registered := RegisteredName(listed.Server.ID, ToolInfo{Name: name, Shown: ShownText(name)})
			spellings = append(spellings, spelling{written: registered, meant: prefixes[allowed] + name})
		}
	}
	return spellings
}
