package setup

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Configuration is the configuration that is about to be changed.
type Configuration struct {
	// Path is its file.
	Path string
	// Servers are its servers, including disabled ones, and Keys describes their settings.
	Servers []Configured
	Keys    Keys
	// Plugins are the names of the servers of plugins, by the toolboxes that have plugins.
	Plugins map[domain.ToolboxName][]domain.ServerName
	// IsProject reports whether it belongs to a project, so that no secret may be written
	// into it.
	IsProject bool
	// Dynamic reports whether names may not contain "_" (tests/acceptance/CONTRACT.md section 8).
	Dynamic bool
	// RunsWorkbench reports whether a command runs the workbench itself; nil for none.
	RunsWorkbench func(command string, args []string) bool
	// Kept are the values in the user's password store, by the names of their variables. Elsewhere are
	// variables whose values the configuration takes from outside the file.
	Kept      map[string]string
	Elsewhere []string
	// Included are the paths of included files with other toolboxes, by the names of the toolboxes.
	Included map[domain.ToolboxName]string
	// Shares reports whether imported servers are shared by all windows where they may be.
	Shares bool
}

// Configured is a server of the configuration.
type Configured struct {
	ID       domain.ServerID
	Settings Settings
}

// Place is the place of a server in the configuration.
type Place struct {
	Toolbox     string `json:"toolbox"`
	Description string `json:"-"`
}

// Add returns the place for a server. It proposes values for the empty parts of wanted.
//
// Failures: the name is in use; a secret for the configuration of a project.
func (c Configuration) Add(server Server, wanted Place) (Place, error) {
	if isIgnored(server.Name) {
		return Place{}, fmt.Errorf("%q is ignored, since it begins with %q; use another name", server.Name, server.Name[:1])
	}
	for _, other := range c.Servers {
		if string(other.ID.Server) == server.Name && (wanted.Toolbox == "" || wanted.Toolbox == string(other.ID.Toolbox)) {
			id := other.ID.Path()
			return Place{}, fmt.Errorf("%s exists in %s; run 'mcp-workbench remove %s' first, or use another name", id, c.Path, id)
		}
	}
	if c.IsProject && c.Keys.HaveSecrets(server) {
		return Place{}, fmt.Errorf("%s belongs to a project, so no secret is written into it; write \"${NAME}\" instead, or '--env NAME'", c.Path)
	}
	if wanted.Toolbox == "" {
		wanted.Toolbox = c.legal(propose(server), unnamed)
		wanted.Description = cmp.Or(wanted.Description, Description(wanted.Toolbox, []string{server.Name}))
	}
	return wanted, nil
}

// isIgnored reports whether the configuration ignores a member of that name.
func isIgnored(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$") }

// Find returns the server that NAME or TOOLBOX/NAME refers to, in the toolbox if one is given.
func (c Configuration) Find(wanted, inToolbox string) (domain.ServerID, error) {
	id, err := c.places(inToolbox).FindServer(wanted)
	if err != nil {
		return id, c.notFound(wanted, fmt.Errorf("%s: %w", c.Path, err))
	}
	return id, c.checkOwn(id)
}

// IsOfPlugin reports whether a toolbox has a plugin, whose servers are in no file of the user.
func (c Configuration) IsOfPlugin(toolbox domain.ToolboxName) bool {
	_, ok := c.Plugins[toolbox]
	return ok
}

// checkOwn returns an error for a server of a plugin, which can neither be moved nor removed.
func (c Configuration) checkOwn(id domain.ServerID) error {
	if id.Server == "" || !c.IsOfPlugin(id.Toolbox) {
		return nil
	}
	return fmt.Errorf("%s belongs to the plugin of that toolbox and stays there; 'mcp-workbench disable %s' leaves it out", id.Path(), id.Path())
}

// notFound returns the failure to find a toolbox or a server. If an included file has the toolbox, the failure
// names that file.
func (c Configuration) notFound(text string, err error) error {
	for toolbox, file := range c.Included {
		if name := string(toolbox); text == name || strings.HasPrefix(text, name+"/") {
			return fmt.Errorf("the toolbox %s is in %s, which %s includes; give --config %s to change it", name, file, c.Path, domain.ShellWord(file))
		}
	}
	return err
}

// places returns the toolboxes and servers, only those of one toolbox if it is not "".
func (c Configuration) places(inToolbox string) domain.Places {
	var places domain.Places
	for _, server := range c.Servers {
		if inToolbox != "" && inToolbox != string(server.ID.Toolbox) {
			continue
		}
		places.Servers = append(places.Servers, server.ID)
		if !slices.Contains(places.Toolboxes, server.ID.Toolbox) {
			places.Toolboxes = append(places.Toolboxes, server.ID.Toolbox)
		}
	}
	for _, toolbox := range slices.Sorted(maps.Keys(c.Plugins)) {
		if inToolbox != "" && inToolbox != string(toolbox) {
			continue
		}
		places.Toolboxes = append(places.Toolboxes, toolbox)
		for _, server := range c.Plugins[toolbox] {
			places.Servers = append(places.Servers, domain.ServerID{Toolbox: toolbox, Server: server})
		}
	}
	return places
}

// CheckScope returns an error if the configuration does not have the scope "user" or
// "project". The scope "" is any.
func (c Configuration) CheckScope(scope string) error {
	switch {
	case scope == "", scope == "user" && !c.IsProject, scope == "project" && c.IsProject:
		return nil
	case slices.Contains([]string{"user", "project", "local"}, scope):
		return fmt.Errorf("--scope %s: the configuration in use is %s; omit the flag to write there, or name another with '--config FILE'", scope, c.Path)
	}
	return fmt.Errorf("--scope %q: use user or project, or omit it", scope)
}
