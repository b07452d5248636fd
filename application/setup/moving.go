package setup

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Move is a toolbox or a server that gets another place or name. A Server of "" is the whole
// toolbox.
type Move struct {
	From, To domain.ServerID
	// Creates reports whether the toolbox of To does not exist yet, and Empties whether the one of
	// From is left without a server.
	Creates, Empties bool
}

// Named returns the toolbox or the server that a text names: a toolbox by its name, a server as
// TOOLBOX/SERVER or by a name that no other has. The server of a toolbox is "".
func (c Configuration) Named(text string) (domain.ServerID, error) {
	id, err := c.places("").FindConfigured(strings.TrimSuffix(text, "/")) // which completion leaves behind a toolbox
	if err != nil {
		return id, c.notFound(text, fmt.Errorf("%s: %w", c.Path, err))
	}
	return id, nil
}

// Toolbox returns the toolbox of a name.
func (c Configuration) Toolbox(name string) (domain.ToolboxName, error) {
	name = strings.TrimSuffix(name, "/")
	if known := c.toolboxes(); !slices.Contains(known, name) {
		return "", c.notFound(name, fmt.Errorf("no toolbox %q in %s%s", name, c.Path, domain.Suggest(name, known)))
	}
	return domain.ToolboxName(name), nil
}

// Move returns what moves where. From is a toolbox or a server; to is the new name of a toolbox
// or, for a server, a toolbox, or TOOLBOX/SERVER.
//
// Failures: a name that does not exist, is taken, or is the same.
func (c Configuration) Move(from, to string) (Move, error) {
	source, err := c.Named(from)
	if err != nil {
		return Move{}, err
	}
	if source.Server == "" {
		return c.renaming(source, strings.TrimSuffix(to, "/"))
	}
	target := c.target(source, to)
	switch {
	case target.Toolbox == "" || target.Server == "":
		return Move{}, fmt.Errorf("%q names no place; name a toolbox, or TOOLBOX/SERVER", to)
	case target == source:
		return Move{}, fmt.Errorf("%s is there already", source.Path())
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

// renaming gives a toolbox another name.
func (c Configuration) renaming(source domain.ServerID, name string) (Move, error) {
	switch {
	case name == string(source.Toolbox):
		return Move{}, fmt.Errorf("%s is its name already", name)
	case slices.Contains(c.toolboxes(), name):
		servers := c.in(source.Toolbox)
		return Move{}, fmt.Errorf("the toolbox %s exists in %s; to put servers there, move each: 'mcp-workbench move %s %s'",
			name, c.Path, servers[0].Path(), name)
	case name == "" || strings.Contains(name, "/"):
		return Move{}, fmt.Errorf("%q is no name for the toolbox %s; use one without a slash", name, source.Toolbox)
	}
	return Move{From: source, To: domain.ServerID{Toolbox: domain.ToolboxName(name)}}, nil
}

// target returns the place that a text names for a server: a toolbox, which keeps the name, or
// TOOLBOX/SERVER, where the longest toolbox that exists counts.
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

// InRoot returns a pattern of the root after the move: one that names the old place names the new
// one. Patterns with "*" in the names stay as they are.
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

// InToolbox returns a pattern of the server's toolbox after the move, if the server only gets another
// name there.
func (m Move) InToolbox(pattern string) string {
	if rest, found := strings.CutPrefix(pattern, string(m.From.Server)+"/"); found && m.From.Server != "" {
		return string(m.To.Server) + "/" + rest
	}
	return pattern
}
