package setup

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// Configuration is the configuration that is about to be changed.
type Configuration struct {
	// Path is its file.
	Path string
	// Servers are its servers, disabled ones too.
	Servers []Configured
	// IsProject reports whether it belongs to a project, so that no secret may be written
	// into it.
	IsProject bool
	// Dynamic reports whether names may not contain "_" (tests/acceptance/CONTRACT.md section 8).
	Dynamic bool
}

// Configured is a server of the configuration.
type Configured struct {
	ID       domain.ServerID
	Settings serverconfig.Settings
}

// Place is where a server goes.
type Place struct {
	Toolbox     string `json:"toolbox"`
	Description string `json:"-"`
}

// Add returns where a server goes. The parts of wanted that are empty are proposed.
//
// Failures: the name is in use; a secret for the configuration of a project.
func (c Configuration) Add(server serverconfig.Server, wanted Place) (Place, error) {
	for _, other := range c.Servers {
		if string(other.ID.Server) == server.Name && (wanted.Toolbox == "" || wanted.Toolbox == string(other.ID.Toolbox)) {
			id := other.ID.Path()
			return Place{}, fmt.Errorf("%s exists in %s; run 'mcp-workbench remove %s' first, or use another name", id, c.Path, id)
		}
	}
	if c.IsProject && server.HasSecrets() {
		return Place{}, fmt.Errorf("%s belongs to a project, so no secret is written into it; write \"${NAME}\" instead, or '--env NAME'", c.Path)
	}
	if wanted.Toolbox == "" {
		proposed := propose(server)
		wanted.Toolbox = proposed.Toolbox
		wanted.Description = cmp.Or(wanted.Description, proposed.Description)
	}
	return wanted, nil
}

// Find returns the one server that NAME or TOOLBOX/NAME means, in the toolbox if one is given.
func (c Configuration) Find(wanted, inToolbox string) (domain.ServerID, error) {
	var known, found []string
	var id domain.ServerID
	for _, server := range c.Servers {
		name, path := string(server.ID.Server), server.ID.Path()
		known = append(known, name, path)
		if (name == wanted || path == wanted) && (inToolbox == "" || inToolbox == string(server.ID.Toolbox)) {
			found = append(found, path)
			id = server.ID
		}
	}
	nearest, isNear := domain.Nearest(wanted, known)
	switch {
	case len(found) == 1:
		return id, nil
	case len(found) > 1:
		return id, fmt.Errorf("%q is in several toolboxes; use 'mcp-workbench remove %s'", wanted, strings.Join(found, "' or 'mcp-workbench remove "))
	case isNear && nearest != wanted:
		return id, fmt.Errorf("no server %q in %s; %s", wanted, c.Path, domain.DidYouMean(nearest))
	case len(known) == 0:
		return id, fmt.Errorf("no server %q in %s: it has none", wanted, c.Path)
	}
	return id, fmt.Errorf("no server %q in %s; 'mcp-workbench list' shows them", wanted, c.Path)
}

// CheckScope returns why the configuration is not the one of a scope: "user" or "project", ""
// for any.
func (c Configuration) CheckScope(scope string) error {
	switch {
	case scope == "", scope == "user" && !c.IsProject, scope == "project" && c.IsProject:
		return nil
	case slices.Contains([]string{"user", "project", "local"}, scope):
		return fmt.Errorf("--scope %s: the configuration in use is %s; omit the flag to write there, or name another with '--config FILE'", scope, c.Path)
	}
	return fmt.Errorf("--scope %q: use user or project, or omit it", scope)
}
