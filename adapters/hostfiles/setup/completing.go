package setup

import (
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// Toolboxes returns the toolboxes in the file of a configuration with their servers, disabled ones
// too. It sets only the names, and the descriptions of toolboxes that are not disabled.
func Toolboxes(configuration *config.Configuration) []domain.Toolbox {
	toolboxes, _ := switches(configuration)
	return toolboxes
}

// Disabled returns what Enable can change: the toolboxes that are disabled or have a disabled server,
// with those servers.
func Disabled(configuration *config.Configuration) []domain.Toolbox {
	toolboxes, isDisabled := switches(configuration)
	return slices.DeleteFunc(withServers(toolboxes, isDisabled), func(toolbox domain.Toolbox) bool {
		return len(toolbox.Servers) == 0 && !isDisabled(domain.ServerID{Toolbox: toolbox.Name})
	})
}

// Enabled returns what Disable can change: the toolboxes that are not disabled, with their servers that
// are not.
func Enabled(configuration *config.Configuration) []domain.Toolbox {
	toolboxes, isDisabled := switches(configuration)
	isEnabled := func(id domain.ServerID) bool { return !isDisabled(id) }
	return slices.DeleteFunc(withServers(toolboxes, isEnabled), func(toolbox domain.Toolbox) bool {
		return isDisabled(domain.ServerID{Toolbox: toolbox.Name})
	})
}

// withServers returns toolboxes with some of their servers.
func withServers(toolboxes []domain.Toolbox, has func(domain.ServerID) bool) []domain.Toolbox {
	for i := range toolboxes {
		toolboxes[i].Servers = slices.DeleteFunc(toolboxes[i].Servers, func(server domain.Server) bool { return !has(server.ID) })
	}
	return toolboxes
}

// switches returns the toolboxes in the file of a configuration, and a function that reports whether one of
// them, or a server in it, is disabled itself.
func switches(configuration *config.Configuration) (toolboxes []domain.Toolbox, isDisabled func(domain.ServerID) bool) {
	text, err := safefile.ReadFile(configuration.Path)
	if err != nil {
		return nil, nil
	}
	servers, _ := serversIn(text) // it was read before
	off := map[domain.ServerID]bool{}
	for _, server := range servers {
		off[server.ID] = server.Settings.Disabled
		last := len(toolboxes) - 1
		if last < 0 || toolboxes[last].Name != server.ID.Toolbox {
			id := domain.ServerID{Toolbox: server.ID.Toolbox}
			off[id] = isDisabledIn(text, id)
			known, _ := configuration.Catalog.Toolbox(id.Toolbox) // a disabled one has no description here
			toolboxes = append(toolboxes, domain.Toolbox{Name: id.Toolbox, Description: known.Description})
			last++
		}
		toolboxes[last].Servers = append(toolboxes[last].Servers, domain.Server{ID: server.ID})
	}
	return toolboxes, func(id domain.ServerID) bool { return off[id] }
}
