package domain

import (
	"fmt"
	"slices"
	"strings"
)

// Place is what a user's text names: a toolbox, a server in it, or a tool of that server. Server and Tool are ""
// when they are not named.
type Place struct {
	Toolbox ToolboxName
	Server  ServerName
	Tool    string
}

// Places are the toolboxes and servers of a configuration, for finding what a text names.
type Places struct {
	Toolboxes []ToolboxName
	Servers   []ServerID
}

// PlacesIn returns the toolboxes and their servers.
func PlacesIn(toolboxes []Toolbox) Places {
	var places Places
	for _, toolbox := range toolboxes {
		places.Toolboxes = append(places.Toolboxes, toolbox.Name)
		for _, server := range toolbox.Servers {
			places.Servers = append(places.Servers, server.ID)
		}
	}
	return places
}

// Find resolves TOOLBOX, TOOLBOX/SERVER and TOOLBOX/SERVER/TOOL, and also SERVER and SERVER/TOOL if only
// one toolbox has a server of that name. Names may contain slashes: toolboxes come before servers, and
// longer names before shorter ones. It does not check the name of the tool. ToolsOf returns the known
// tools of a server, for suggestions; it may be nil.
//
// Failures: ErrToolboxNotFound or ErrServerNotFound, each with a suggestion, or an error for a name that
// several servers have.
func (p Places) Find(text string, toolsOf func(ServerID) []string) (Place, error) {
	toolbox, rest, known := cutName(text, p.Toolboxes)
	if !known {
		return p.findByServer(text, toolsOf)
	}
	if rest == "" {
		return Place{Toolbox: toolbox}, nil
	}
	servers := p.serversIn(toolbox)
	server, tool, known := cutName(rest, servers)
	if known {
		return Place{Toolbox: toolbox, Server: server, Tool: tool}, nil
	}
	name, _, _ := strings.Cut(rest, "/")
	available := Texts(servers)
	failure := &ServerNotFoundError{ID: ServerID{Toolbox: toolbox, Server: ServerName(name)}, Available: available}
	if _, isNear := Nearest(name, available); isNear {
		return Place{}, fmt.Errorf("%w%s", failure, Suggest(name, available))
	}
	// The server may be in another toolbox, or the toolbox may have the name of a server.
	for _, meant := range []string{rest, text} {
		found, tool := p.named(meant)
		switch {
		case len(found) == 1 && meant == text && found[0].Toolbox == toolbox:
			return Place{Toolbox: toolbox, Server: found[0].Server, Tool: tool}, nil
		case len(found) > 0:
			return Place{}, fmt.Errorf("%w; %s", failure, DidYouMean(paths(found, tool)...))
		}
	}
	return Place{}, fmt.Errorf("%w%s", failure, Suggest(name, available))
}

// FindConfigured finds a toolbox by its name, or a server as FindServer does. The Server of a toolbox is "".
func (p Places) FindConfigured(text string) (ServerID, error) {
	if slices.Contains(p.Toolboxes, ToolboxName(text)) {
		return ServerID{Toolbox: ToolboxName(text)}, nil
	}
	switch found := p.serversNamed(text); len(found) {
	case 1:
		return found[0], nil
	case 0:
		known := append(Texts(p.Toolboxes), paths(p.Servers, "")...)
		return ServerID{}, fmt.Errorf("no toolbox or server %q is configured%s", text, Suggest(text, known))
	default:
		return ServerID{}, severalError(text, paths(found, ""))
	}
}

// FindServer finds a server by TOOLBOX/SERVER, or by a name that only one server has.
func (p Places) FindServer(text string) (ServerID, error) {
	switch found := p.serversNamed(text); len(found) {
	case 1:
		return found[0], nil
	case 0:
	default:
		return ServerID{}, severalError(text, paths(found, ""))
	}
	var spellings []spelling
	for _, id := range p.Servers {
		spellings = append(spellings, spelling{id.Path(), id.Path()}, spelling{string(id.Server), id.Path()})
	}
	if slices.Contains(p.Toolboxes, ToolboxName(text)) {
		return ServerID{}, fmt.Errorf("%q does not name a server; name one as TOOLBOX/SERVER", text)
	}
	const noStar = -1
	if near := nearest(text, noStar, spellings); len(near) > 0 {
		return ServerID{}, fmt.Errorf("no server %q is configured; %s", text, DidYouMean(near[0]))
	}
	return ServerID{}, fmt.Errorf("no server %q is configured%s", text, Suggest(text, paths(p.Servers, "")))
}

// serversNamed returns the server with the path TOOLBOX/SERVER, or those with the name.
func (p Places) serversNamed(text string) []ServerID {
	var found []ServerID
	for _, id := range p.Servers {
		if id.Path() == text {
			return []ServerID{id}
		}
		if string(id.Server) == text {
			found = append(found, id)
		}
	}
	return found
}

// findByServer resolves SERVER and SERVER/TOOL.
func (p Places) findByServer(text string, toolsOf func(ServerID) []string) (Place, error) {
	found, tool := p.named(text)
	switch len(found) {
	case 1:
		return Place{Toolbox: found[0].Toolbox, Server: found[0].Server, Tool: tool}, nil
	case 0:
		return Place{}, p.unknown(text, toolsOf)
	}
	return Place{}, severalError(text, paths(found, tool))
}

// unknown returns the failure to find a text that begins with neither a toolbox nor a server.
func (p Places) unknown(text string, toolsOf func(ServerID) []string) error {
	name, rest, _ := strings.Cut(text, "/")
	available := Texts(p.Toolboxes)
	failure := &ToolboxNotFoundError{Toolbox: ToolboxName(name), Available: available}
	if _, isNear := Nearest(name, available); isNear {
		return fmt.Errorf("%w%s", failure, Suggest(name, available))
	}
	var meant []string
	if toolsOf != nil {
		for _, id := range p.Servers {
			for _, tool := range toolsOf(id) {
				if tool == text {
					meant = append(meant, toolPath(id, tool))
				}
			}
		}
	}
	if len(meant) == 0 {
		var spellings []spelling
		for _, id := range p.Servers {
			spellings = append(spellings, spelling{string(id.Server), toolPath(id, rest)})
		}
		const noStar = -1
		meant = nearest(name, noStar, spellings)
	}
	if len(meant) > 0 {
		return fmt.Errorf("%w; %s", failure, DidYouMean(meant[:min(len(meant), maxNearest)]...))
	}
	return fmt.Errorf("%w%s", failure, Suggest(name, available))
}

// named returns the servers whose name is the longest at the beginning of a text, and what follows it.
func (p Places) named(text string) (found []ServerID, tool string) {
	names := make([]ServerName, len(p.Servers))
	for i, id := range p.Servers {
		names[i] = id.Server
	}
	name, tool, known := cutName(text, names)
	for _, id := range p.Servers {
		if known && id.Server == name {
			found = append(found, id)
		}
	}
	return found, tool
}

func (p Places) serversIn(toolbox ToolboxName) []ServerName {
	var names []ServerName
	for _, id := range p.Servers {
		if id.Toolbox == toolbox {
			names = append(names, id.Server)
		}
	}
	return names
}

func severalError(name string, paths []string) error {
	return fmt.Errorf("%q is in several toolboxes; name one of %s", name, strings.Join(paths, ", "))
}

// paths returns the paths of servers, or of a tool in each.
func paths(servers []ServerID, tool string) []string {
	paths := make([]string, len(servers))
	for i, id := range servers {
		paths[i] = toolPath(id, tool)
	}
	return paths
}

// toolPath returns the path of a tool, or of its server if the tool is "".
func toolPath(id ServerID, tool string) string {
	if tool == "" {
		return id.Path()
	}
	return id.Path() + "/" + tool
}

// cutName cuts the longest of the names off the front of a text. A name can be in another normal form of Unicode.
func cutName[Name ~string](text string, names []Name) (name Name, rest string, known bool) {
	for _, candidate := range names {
		behind, found := strings.CutPrefix(text, string(candidate))
		if !found || behind != "" && behind[0] != '/' || known && len(candidate) <= len(name) {
			continue
		}
		name, rest, known = candidate, strings.TrimPrefix(behind, "/"), true
	}
	if known || isASCII(text) {
		return name, rest, known
	}
	for end := len(text); end > 0; end = strings.LastIndexByte(text[:end], '/') {
		if meant := Spelled(Name(text[:end]), names); slices.Contains(names, meant) {
			return meant, strings.TrimPrefix(text[end:], "/"), true
		}
	}
	return "", "", false
}
