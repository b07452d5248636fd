package setup

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Move is the move of a toolbox or a server to another place or name. A Server of "" means
// the whole toolbox.
type Move struct {
	From, To domain.ServerID
	// Creates reports whether the toolbox of To does not exist yet, and Empties whether the
	// toolbox of From is left without servers.
	Creates, Empties bool
}

// Named returns the toolbox or the server that a text names: a toolbox by its name, a server as
// TOOLBOX/SERVER or by a unique name. For a toolbox, Server is "".
func (c Configuration) Named(text string) (domain.ServerID, error) {
	id, err := c.places("").FindConfigured(strings.TrimSuffix(text, "/")) // completion appends a slash to a toolbox
	if err != nil {
		return id, c.notFound(text, fmt.Errorf("%s: %w", c.Path, err))
	}
	return id, nil
}

// Toolbox returns the toolbox with that name.
func (c Configuration) Toolbox(name string) (domain.ToolboxName, error) {
	name = strings.TrimSuffix(name, "/")
	if known := c.toolboxes(); !slices.Contains(known, name) {
		return "", c.notFound(name, fmt.Errorf("no toolbox %q in %s%s", name, c.Path, domain.Suggest(name, known)))
	}
	return domain.ToolboxName(name), nil
}

// Move returns the move that from and to describe. From is a toolbox or a server. To is the new
// name of the toolbox; for a server it is a toolbox or TOOLBOX/SERVER.
//
// Failures: a name that does not exist, is taken, or is the same.
func (c Configuration) Move(from, to string) (Move, error) {
	source, err := c.Named(from)
	if err != nil {
		return Move{}, err
	}
	if err := c.checkOwn(source); err != nil {
		return Move{}, err
	}
	if source.Server == "" {
		return c.renaming(source, strings.TrimSuffix(to, "/"))
	}
	target := c.target(source, to)
	switch {
	case target.Toolbox == "" || target.Server == "":
		return Move{}, fmt.Errorf("%q is not a place; name a toolbox, or TOOLBOX/SERVER", to)
	case c.IsOfPlugin(target.Toolbox):
		return Move{}, fmt.Errorf("the toolbox %s has the servers of its plugin, and no others", target.Toolbox)
	case target == source:
		return Move{}, fmt.Errorf("%s is already there", source.Path())
	case c.has(target):
		return Move{}, fmt.Errorf("%s exists in %s; give the server another name there: 'mcp-workbench move %s %s/NAME'",
			target.Path(), c.Path, source.Path(), target.Toolbox)
	}
	return Move{
		From: source, To: target,
		Creates: !slices.Contains(c.toolboxes(), string(target.Toolbox)),
		Empties: target.Toolbox != source.Toolbox && len(c.in(source.Toolbox)) == 1,
	}, nil
}

// renaming returns the move that gives a toolbox another name.
func (c Configuration) renaming(source domain.ServerID, name string) (Move, error) {
	switch {
	case name == string(source.Toolbox):
		return Move{}, fmt.Errorf("the toolbox is already named %s", name)
	case c.IsOfPlugin(source.Toolbox) && slices.Contains(c.toolboxes(), name), c.IsOfPlugin(domain.ToolboxName(name)):
		return Move{}, fmt.Errorf("the toolbox %s exists in %s", name, c.Path)
	case slices.Contains(c.toolboxes(), name):
		servers := c.in(source.Toolbox)
		return Move{}, fmt.Errorf("the toolbox %s exists in %s; to put servers there, move each: 'mcp-workbench move %s %s'",
			name, c.Path, servers[0].Path(), name)
	case name == "" || strings.Contains(name, "/"):
		return Move{}, fmt.Errorf("%q cannot be the name of the toolbox %s; use a name without a slash", name, source.Toolbox)
	}
	return Move{From: source, To: domain.ServerID{Toolbox: domain.ToolboxName(name)}}, nil
}

// target returns the place that a text names for a server: a toolbox, where the server keeps
// its name, or TOOLBOX/SERVER, where the longest existing toolbox name wins.
func (c Configuration) target(source domain.ServerID, text string) domain.ServerID {
	text = strings.TrimSuffix(text, "/")
	toolbox, server := text, ""
	if known := c.toolboxes(); !slices.Contains(known, text) {
		toolbox, server, _ = strings.Cut(text, "/")
		for _, name := range known {
			if rest, found := strings.CutPrefix(text, name+"/"); found && len(name) > len(toolbox) {
				toolbox, server = name, rest
			}
		}
	}
	if !strings.Contains(text, "/") || server == "" {
		server = string(source.Server)
	}
	return domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(server)}
}

// toolboxes returns the names of the toolboxes.
func (c Configuration) toolboxes() []string {
	var names []string
	for _, server := range c.Servers {
		if name := string(server.ID.Toolbox); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Plugins)) {
		names = append(names, string(name))
	}
	return names
}

// in returns the servers of a toolbox.
func (c Configuration) in(toolbox domain.ToolboxName) []domain.ServerID {
	var servers []domain.ServerID
	for _, server := range c.Servers {
		if server.ID.Toolbox == toolbox {
			servers = append(servers, server.ID)
		}
	}
	return servers
}

func (c Configuration) has(id domain.ServerID) bool {
	return slices.ContainsFunc(c.Servers, func(s Configured) bool { return s.ID == id })
}

// Moved returns the place of a server after the move.
func (m Move) Moved(id domain.ServerID) domain.ServerID {
	switch {
	case id == m.From:
		return m.To
	case m.From.Server == "" && id.Toolbox == m.From.Toolbox:
		id.Toolbox = m.To.Toolbox
	}
	return id
}

// InRoot returns a pattern of the root as it is after the move: a pattern that names the old
// place gets the new one. Patterns with "*" in the names do not change.
func (m Move) InRoot(pattern string) string {
	if m.From.Server == "" {
		if rest, found := strings.CutPrefix(pattern, string(m.From.Toolbox)+"/"); found && strings.Contains(rest, "/") {
			return string(m.To.Toolbox) + "/" + rest
		}
		return pattern
	}
	if rest, found := strings.CutPrefix(pattern, m.From.Path()+"/"); found {
		return m.To.Path() + "/" + rest
	}
	return pattern
}

// InToolbox returns a pattern of the server's toolbox as it is after a move that only renames the
// server within that toolbox.
func (m Move) InToolbox(pattern string) string {
	if rest, found := strings.CutPrefix(pattern, string(m.From.Server)+"/"); found && m.From.Server != "" {
		return string(m.To.Server) + "/" + rest
	}
	return pattern
}
