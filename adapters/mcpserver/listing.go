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

// listing is the view that hosts have of one configuration before they open a toolbox. It never changes.
// Safe for concurrent use.
type listing struct {
	// instructions returns the instructions for the host with that name in its clientInfo.
	instructions func(clientName string) string
	definitions  definitions.Settings
	// selects is set if open_toolbox has the argument "tools".
	selects bool
	// fits is set if results of some server are cut to fit.
	fits bool
	// ownTools and ownDynamicTools return the definitions of the workbench's own tools,
	// separated by commas. They are made when a host first lists them, not at the start.
	ownTools, ownDynamicTools func() json.RawMessage
}

func newListing(
	toolboxes []domain.Toolbox, problems []domain.ConfigurationProblem, settings definitions.Settings,
) *listing {
	tools := func(dynamic bool) func() json.RawMessage {
		return sync.OnceValue(func() json.RawMessage { return wording.OwnTools(toolboxes, settings, dynamic) })
	}
	return &listing{
		instructions: func(clientName string) string {
			return wording.Instructions(wording.HostNamed(clientName), toolboxes, problems)
		},
		definitions: settings, selects: !settings.AllFull(toolboxes),
		fits:     domain.FitsResults(toolboxes),
		ownTools: tools(false), ownDynamicTools: tools(true),
	}
}

// moreTools returns the names of the workbench's own tools beside open_toolbox and use_tool.
func (s *Server) moreTools() (names []string) {
	listing := s.program.listing()
	if listing.definitions.ReadTool {
		names = append(names, wording.ReadTool)
	}
	if listing.fits {
		names = append(names, wording.ReadResult)
	}
	if s.useCases.Finder != nil {
		names = append(names, wording.FindTool)
	}
	return names
}

var _ ports.Listing = (*Program)(nil)

// Refresh implements ports.Listing.
func (p *Program) Refresh() (changed bool) {
	after := p.list()
	before := p.current.Swap(after)
	return !bytes.Equal(before.ownTools(), after.ownTools())
}

func (p *Program) listing() *listing { return p.current.Load() }
