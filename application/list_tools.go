package application

import (
	"context"
	"slices"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolLister is the use case ListTools.
type ToolLister struct {
	// Listings keeps the tools for later searches, nil for none.
	Listings ports.Listings

	catalog  ports.Catalog
	sessions *sessions.Sessions
}

// NewToolLister returns the use case.
func NewToolLister(catalog ports.Catalog, sessions *sessions.Sessions) *ToolLister {
	return &ToolLister{catalog: catalog, sessions: sessions}
}

// ListTools implements ports.ToolLister.
func (l *ToolLister) ListTools(
	ctx context.Context, toolbox domain.ToolboxName, server domain.ServerName, each func(domain.OpenedServer),
) (domain.OpenedToolbox, error) {
	found, err := l.catalog.Toolbox(toolbox)
	if err != nil {
		return domain.OpenedToolbox{}, err
	}
	servers := found.Servers
	if server != "" {
		named, ok := found.Server(server)
		if !ok {
			id := domain.ServerID{Toolbox: toolbox, Server: server}
			return domain.OpenedToolbox{}, &domain.ServerNotFoundError{ID: id, Available: found.ServerNames()}
		}
		servers = []domain.Server{named}
	}
	listed := domain.OpenedToolbox{Toolbox: found, Servers: make([]domain.OpenedServer, len(servers))}
	eachOf(servers, func(i int, server domain.Server) {
		listed.Servers[i] = l.listServer(ctx, server)
		each(listed.Servers[i])
	})
	return listed, ctx.Err()
}

func (l *ToolLister) listServer(ctx context.Context, server domain.Server) domain.OpenedServer {
	connection, err := l.sessions.Connect(ctx, server)
	if err != nil {
		return domain.OpenedServer{ID: server.ID, Failure: err}
	}
	listed := openedServer(server.ID, connection.Tools())
	if l.Listings != nil {
		KeepTools(l.Listings, server, listed.Tools)
	}
	listed.Warnings, listed.Names = slices.Clone(listed.Warnings), connection.Names()
	listed.OnlyRead, listed.AllOnlyRead = l.sessions.OnlyReading(server.ID, listed.Tools)
	for _, tool := range listed.Tools {
		if connection.NeedsYes(tool) {
			if listed.NeedYes == nil {
				listed.NeedYes = map[string]bool{}
			}
			listed.NeedYes[tool.Name] = true
		}
	}
	return listed
}
