package mcpserver

import (
	"bytes"
	"encoding/json"
	"sync"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// listing is the view that hosts have of one configuration before they open a toolbox. What it shows never
// changes. Safe for concurrent use.
type listing struct {
	built       domain.Instructions
	definitions definitions.Settings
	// selects is set if open_toolbox has the argument "tools".
	selects bool
	servers map[domain.ServerID]bool
	// fits is set if results of some server are cut to fit.
	fits bool

	mu  sync.Mutex // guards own
	own map[wording.Registration]json.RawMessage
}

func newListing(built domain.Instructions, settings definitions.Settings) *listing {
	return &listing{
		built: built, definitions: settings, selects: !settings.AllFull(built.Toolboxes),
		fits:    domain.FitsResults(built.Toolboxes),
		servers: serversOf(built.Toolboxes),
		own:     map[wording.Registration]json.RawMessage{},
	}
}

// instructions returns the instructions for the host with that name in its clientInfo.
func (l *listing) instructions(clientName string) string {
	return wording.Instructions(wording.HostNamed(clientName), l.built)
}

// ownTools returns the definitions of the workbench's own tools, separated by commas. They are made when a host first
// lists them, not at the start.
func (l *listing) ownTools(registration wording.Registration) json.RawMessage {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own[registration] == nil {
		l.own[registration] = wording.OwnTools(l.built.Toolboxes, l.definitions, registration)
	}
	return l.own[registration]
}

func serversOf(toolboxes []domain.Toolbox) map[domain.ServerID]bool {
	servers := map[domain.ServerID]bool{}
	for server := range domain.ServersOf(toolboxes) {
		servers[server.ID] = true
	}
	return servers
}

// moreTools returns the names of the workbench's own tools beside open_toolbox and use_tool.
func (s *Server) moreTools() (names []string) {
	listing := s.program.listing()
	if listing.definitions.ReadTool {
		names = append(names, domain.ToolReadTool)
	}
	if listing.fits {
		names = append(names, domain.ToolReadResult)
	}
	if s.useCases.Finder != nil {
		names = append(names, domain.ToolFindTool)
	}
	return names
}

var _ ports.Listing = (*Program)(nil)

// Refresh implements ports.Listing.
func (p *Program) Refresh() (changed bool) {
	after := p.list()
	before := p.current.Swap(after)
	return !bytes.Equal(before.ownTools(wording.Registration{}), after.ownTools(wording.Registration{}))
}

func (p *Program) listing() *listing { return p.current.Load() }
