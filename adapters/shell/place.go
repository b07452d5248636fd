package shell

import (
	"strings"

	"mcp-workbench/domain"
)

// Place is what a command line names: a toolbox, a server in it, a tool of that. Server and
// Tool are "" when they are not named.
type Place struct {
	Toolbox domain.Toolbox
	Server  domain.ServerName
	Tool    string
}

// FindPlace finds what TOOLBOX, TOOLBOX/SERVER or TOOLBOX/SERVER/TOOL names. Names may contain
// slashes: configured names count first, the longest before others. It does not check the
// name of the tool.
//
// Failures: *Failure, of domain.ErrToolboxNotFound or domain.ErrServerNotFound.
func FindPlace(toolboxes []domain.Toolbox, text string) (Place, error) {
	var names []string
	for _, toolbox := range toolboxes {
		names = append(names, string(toolbox.Name))
	}
	name, rest, known := cutName(text, names)
	if !known {
		name, _, _ = strings.Cut(text, "/")
		return Place{}, notFound(&domain.ToolboxNotFoundError{Toolbox: domain.ToolboxName(name), Available: names})
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
		return Place{}, notFound(&domain.ServerNotFoundError{ID: id, Available: servers})
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

// FindServer finds a server by TOOLBOX/SERVER, or by a name that only one server has.
//
// Failures: *Failure.
func FindServer(toolboxes []domain.Toolbox, name string) (domain.ServerID, error) {
	var found []domain.ServerID
	var paths, same []string
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			path := server.ID.Path()
			paths = append(paths, path)
			if path == name {
				return server.ID, nil
			}
			if string(server.ID.Server) == name {
				found, same = append(found, server.ID), append(same, path)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return domain.ServerID{}, usageError("no server %q is configured%s", name, domain.Suggest(name, paths))
	}
	return domain.ServerID{}, usageError("%q is in several toolboxes; name one of %s", name, strings.Join(same, ", "))
}
