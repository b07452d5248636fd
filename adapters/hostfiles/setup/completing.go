package setup

import (
	"encoding/json"
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/domain"
	"mcp-workbench/domain/textedit"
)

// Toolboxes returns the toolboxes in the file of a configuration with their servers, disabled ones
// too. It sets only the names, and the descriptions of toolboxes that are not disabled.
func Toolboxes(configuration *config.Configuration) []domain.Toolbox {
	servers, err := Places(configuration.Path)
	if err != nil {
		return nil
	}
	var toolboxes []domain.Toolbox
	for _, server := range servers {
		last := len(toolboxes) - 1
		if last < 0 || toolboxes[last].Name != server.Toolbox {
			known, _ := configuration.Catalog.Toolbox(server.Toolbox) // a disabled one has no description here
			toolboxes = append(toolboxes, domain.Toolbox{Name: server.Toolbox, Description: known.Description})
			last++
		}
		toolboxes[last].Servers = append(toolboxes[last].Servers, domain.Server{ID: server})
	}
	return toolboxes
}

// Disabled returns what Enable can change: the toolboxes that are disabled or have a disabled server,
// with those servers.
func Disabled(configuration *config.Configuration) []domain.Toolbox {
	return withServers(configuration, func(isDisabled map[domain.ServerID]bool, toolbox *domain.Toolbox) bool {
		toolbox.Servers = slices.DeleteFunc(toolbox.Servers, func(server domain.Server) bool { return !isDisabled[server.ID] })
		return len(toolbox.Servers) > 0 || isDisabled[domain.ServerID{Toolbox: toolbox.Name}]
	})
}

// Enabled returns what Disable can change: the toolboxes that are not disabled, with their servers that
// are not.
func Enabled(configuration *config.Configuration) []domain.Toolbox {
	return withServers(configuration, func(isDisabled map[domain.ServerID]bool, toolbox *domain.Toolbox) bool {
		toolbox.Servers = slices.DeleteFunc(toolbox.Servers, func(server domain.Server) bool { return isDisabled[server.ID] })
		return !isDisabled[domain.ServerID{Toolbox: toolbox.Name}]
	})
}

// withServers returns the toolboxes that a function keeps, which may shorten their lists of servers. It is
// passed what is disabled itself; the Server of a toolbox is "".
func withServers(configuration *config.Configuration, keep func(isDisabled map[domain.ServerID]bool, toolbox *domain.Toolbox) bool) []domain.Toolbox {
	text, err := atomicfile.ReadFile(configuration.Path)
	if err != nil {
		return nil
	}
	isDisabled := map[domain.ServerID]bool{}
	members, _ := textedit.ReadJSON(text, []string{"toolboxes"}) // it was read before
	for _, member := range members {
		toolbox := domain.ServerID{Toolbox: domain.ToolboxName(member.Name)}
		isDisabled[toolbox] = hasDisabled(member.Value)
		var servers struct{ MCPServers map[string]json.RawMessage }
		_ = json.Unmarshal(member.Value, &servers) // a value of another type has no servers
		for name, server := range servers.MCPServers {
			isDisabled[domain.ServerID{Toolbox: toolbox.Toolbox, Server: domain.ServerName(name)}] = hasDisabled(server)
		}
	}
	var kept []domain.Toolbox
	for _, toolbox := range Toolboxes(configuration) {
		if keep(isDisabled, &toolbox) {
			kept = append(kept, toolbox)
		}
	}
	return kept
}

// hasDisabled reports whether the settings of a toolbox or a server say that it is disabled.
func hasDisabled(settings json.RawMessage) bool {
	var members struct{ Disabled bool }
	return json.Unmarshal(settings, &members) == nil && members.Disabled
}
