package application

import (
	"context"
	"log/slog"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ServerStarter is the use case of starting servers before their toolboxes are opened.
type ServerStarter struct {
	catalog  ports.Catalog
	sessions *sessions.Sessions
	log      *slog.Logger
}

// NewServerStarter returns the use case over the sessions of a host.
func NewServerStarter(catalog ports.Catalog, sessions *sessions.Sessions, log *slog.Logger) *ServerStarter {
	return &ServerStarter{catalog: catalog, sessions: sessions, log: log}
}

// StartServers implements ports.ServerStarter. A server that fails to start is tried again
// when its toolbox is opened.
func (s *ServerStarter) StartServers() {
	for server := range domain.ServersOf(s.catalog.Toolboxes()) {
		if server.Start != domain.StartOnConnect {
			continue
		}
		if err := s.sessions.StartEarly(context.Background(), server); err != nil {
			s.log.Info("could not start the server", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		}
	}
}
