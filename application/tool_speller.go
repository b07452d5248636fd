package application

import (
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolSpeller is the use case that finds what a name in another normal form of Unicode means.
type ToolSpeller struct {
	catalog ports.Catalog
	known   *sessions.KnownTools
}

// NewToolSpeller returns the use case over the toolboxes of the catalog and the known tools of their servers.
func NewToolSpeller(catalog ports.Catalog, known *sessions.KnownTools) *ToolSpeller {
	return &ToolSpeller{catalog: catalog, known: known}
}

// Spelled implements ports.ToolSpeller.
func (s *ToolSpeller) Spelled(tool domain.ToolIdentifier) domain.ToolIdentifier {
	var toolboxes []domain.ToolboxName
	for _, toolbox := range s.catalog.Toolboxes() {
		toolboxes = append(toolboxes, toolbox.Name)
	}
	tool.Toolbox = domain.Spelled(tool.Toolbox, toolboxes)
	toolbox, err := s.catalog.Toolbox(tool.Toolbox)
	if err != nil {
		return tool
	}
	var servers []domain.ServerName
	for _, server := range toolbox.Servers {
		servers = append(servers, server.ID.Server)
	}
	tool.Server = domain.Spelled(tool.Server, servers)
	var tools []string
	for _, known := range s.known.Tools(tool.ServerID()) {
		tools = append(tools, known.Name)
	}
	tool.Tool = domain.Spelled(tool.Tool, tools)
	return tool
}
