package shell

import (
	"strings"

	"mcp-workbench/domain"
)

// Place is what a person names on the command line: a toolbox, a server in it, a tool
// of that. Server and Tool are "" when they were not named.
type Place struct {
	Toolbox domain.Toolbox
	Server  domain.ServerName
	Tool    string
}

// FindPlace finds what TOOLBOX, TOOLBOX/SERVER or TOOLBOX/SERVER/TOOL names. Names may
// hold slashes themselves: a name that is configured counts before a cut, the
// longest first. The name of the tool is not judged.
//
// Failures: domain.ErrToolboxNotFound; domain.ErrServerNotFound.
func FindPlace(toolboxes []domain.Toolbox, text string) (Place, error) {
	var names []string
	for _, toolbox := range toolboxes {
		names = append(names, string(toolbox.Name))
	}
	name, rest, known := cutName(text, names)
	if !known {
		name, _, _ = strings.Cut(text, "/")
		return Place{}, &domain.ToolboxNotFoundError{Toolbox: domain.ToolboxName(name), Available: names}
	}
	var place Place
	for _, toolbox := range toolboxes {
		if string(toolbox.Name) == name {
			place.Toolbox = toolbox
		}
	}
	if rest == "" {
		return place, nil
	}
	servers := place.Toolbox.ServerNames()
	server, tool, known := cutName(rest, servers)
	if !known {
		server, _, _ = strings.Cut(rest, "/")
		id := domain.ServerID{Toolbox: place.Toolbox.Name, Server: domain.ServerName(server)}
		return Place{}, &domain.ServerNotFoundError{ID: id, Available: servers}
	}
	place.Server, place.Tool = domain.ServerName(server), tool
	return place, nil
}

// cutName cuts the longest of the names off the front of a text.
func cutName(text string, names []string) (name, rest string, known bool) {
	for _, candidate := range names {
		behind, found := strings.CutPrefix(text, candidate)
		if !found || behind != "" && behind[0] != '/' || known && len(candidate) <= len(name) {
			continue
		}
		name, rest, known = candidate, strings.TrimPrefix(behind, "/"), true
	}
	return name, rest, known
}
