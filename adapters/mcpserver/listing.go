package mcpserver

import (
	"encoding/json"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// listing is the view that hosts have of one configuration before they open a toolbox. It never changes.
type listing struct {
	built       domain.Instructions
	definitions definitions.Settings
	// selects is set if open_toolbox has the argument "tools".
	selects bool
	servers map[domain.ServerID]bool
	// fits is set if results of some server are cut to fit.
	fits bool
}

func newListing(built domain.Instructions, settings definitions.Settings) *listing {
	return &listing{
		built: built, definitions: settings, selects: !settings.AllFull(built.Toolboxes),
		fits:    domain.FitsResults(built.Toolboxes),
		servers: serversOf(built.Toolboxes),
	}
}

// instructions returns the instructions for a host.
func (l *listing) instructions(host wording.Host) string { return wording.Instructions(host, l.built) }

// ownTools returns the definitions of the workbench's own tools, separated by commas.
func (l *listing) ownTools(registration wording.Registration) json.RawMessage {
	return wording.OwnTools(l.built.Toolboxes, l.definitions, registration)
}

func serversOf(toolboxes []domain.Toolbox) map[domain.ServerID]bool {
	servers := map[domain.ServerID]bool{}
	for server := range domain.ServersOf(toolboxes) {
		servers[server.ID] = true
	}
	return servers
}
