package shell

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Place is the argument of a command: a toolbox, a server in it, or a tool of that server. Server and
// Tool are "" when they are not named.
type Place struct {
	Toolbox domain.Toolbox
	Server  domain.ServerName
	Tool    string
}

// FindPlace finds the place that a command line names (domain.Places.Find). ToolsOf returns the tools that
// a server is known to have; it may be nil.
//
// Failures: *CommandError, which wraps those of domain.Places.Find.
func FindPlace(toolboxes []domain.Toolbox, text string, toolsOf func(domain.Server) []string) (Place, error) {
	var known func(domain.ServerID) []string
	if toolsOf != nil {
		known = func(id domain.ServerID) []string {
			server, _ := toolboxNamed(toolboxes, id.Toolbox).Server(id.Server)
			return toolsOf(server)
		}
	}
	found, err := domain.PlacesIn(toolboxes).Find(text, known)
	switch {
	case err != nil && len(toolboxes) == 0:
		return Place{}, usageError("%w; 'mcp-workbench init' imports the servers of hosts, and 'mcp-workbench add' adds one", err)
	case err != nil:
		return Place{}, usageError("%w", err)
	}
	return Place{Toolbox: toolboxNamed(toolboxes, found.Toolbox), Server: found.Server, Tool: found.Tool}, nil
}

// CheckEnabled returns an error for a text that names a disabled toolbox or server, with the command that enables it.
// Disabled are the toolboxes with servers that are disabled.
//
// Failures: *CommandError.
func CheckEnabled(disabled []domain.Toolbox, text string) error {
	var toolboxes []domain.Toolbox
	for _, toolbox := range disabled {
		toolbox.Servers = nil
		for _, name := range toolbox.Disabled {
			toolbox.Servers = append(toolbox.Servers, domain.Server{ID: domain.ServerID{Toolbox: toolbox.Name, Server: name}})
		}
		toolboxes = append(toolboxes, toolbox)
	}
	found, err := domain.PlacesIn(toolboxes).Find(text, nil)
	if err != nil {
		return nil //nolint:nilerr // what is not found among the disabled ones is not disabled
	}
	path := string(found.Toolbox)
	if found.Server != "" {
		path = domain.ServerID{Toolbox: found.Toolbox, Server: found.Server}.Path()
	}
	return usageError("%s is disabled; 'mcp-workbench enable %s' enables it", path, domain.ShellWord(path))
}

// CheckServers returns the failure to find a name of a toolbox that has only skills, nil for any other.
//
// Failures: *CommandError.
func CheckServers(toolboxes []domain.Toolbox, text string) error {
	name, _, _ := strings.Cut(text, "/")
	for _, toolbox := range toolboxes {
		if len(toolbox.Servers) == 0 && string(toolbox.Name) == name {
			return usageError("toolbox %q has no servers, only skills (%s), which 'mcp-workbench connect HOST --skills' writes",
				name, strings.Join(skillsOf(toolbox), ", "))
		}
	}
	return nil
}

// FindServer finds the server that a command line names (domain.Places.FindServer).
//
// Failures: *CommandError.
func FindServer(toolboxes []domain.Toolbox, name string) (domain.Server, error) {
	id, err := domain.PlacesIn(toolboxes).FindServer(name)
	if err != nil {
		return domain.Server{}, usageError("%w", err)
	}
	server, _ := toolboxNamed(toolboxes, id.Toolbox).Server(id.Server)
	return server, nil
}

// FindServers finds the servers that a command line names, in its order. It stops at the first that does not
// exist.
//
// Failures: *CommandError.
func FindServers(toolboxes []domain.Toolbox, names []string) ([]domain.ServerID, error) {
	var ids []domain.ServerID
	for _, name := range names {
		server, err := FindServer(toolboxes, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, server.ID)
	}
	return ids, nil
}

func toolboxNamed(toolboxes []domain.Toolbox, name domain.ToolboxName) domain.Toolbox {
	i := slices.IndexFunc(toolboxes, func(toolbox domain.Toolbox) bool { return toolbox.Name == name })
	return toolboxes[i]
}
