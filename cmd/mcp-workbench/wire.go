//go:build wireinject

package main

import (
	"log/slog"

	"github.com/google/wire"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/application"
	"mcp-workbench/ports"
)

// newWorkbench wires the program: one set for each layer, every binding in
// sight.
func newWorkbench(
	configuration *config.Configuration, transports map[string]ports.Transport, version mcpserver.Version, log *slog.Logger,
) *workbench {
	wire.Build(
		wire.NewSet( // configuration
			wire.FieldsOf(new(*config.Configuration), "Catalog"),
			wire.Bind(new(ports.Catalog), new(*config.Catalog)),
			newHostLimits,
			newPatience,
		),
		wire.NewSet( // downstream
			downstream.NewRegistry,
			wire.Bind(new(ports.Connector), new(*downstream.Registry)),
		),
		wire.NewSet( // application
			application.NewSessions,
			application.NewOpened,
			application.NewToolboxOpener,
			application.NewToolUser,
			application.NewAnnouncer,
			application.NewPointers,
			application.NewTasks,
			application.NewTaskFollower,
			application.NewResourceReader,
			application.NewInstructionsBuilder,
			wire.Bind(new(ports.ToolboxOpener), new(*application.ToolboxOpener)),
			newToolUser,
			wire.Bind(new(ports.ResourceReader), new(*application.ResourceReader)),
			wire.Bind(new(ports.TaskFollower), new(*application.TaskFollower)),
			wire.Bind(new(ports.Announcer), new(*application.Announcer)),
			wire.Bind(new(ports.InstructionsBuilder), new(*application.InstructionsBuilder)),
		),
		wire.NewSet( // server
			mcpserver.New,
			mcpserver.NewHost,
			wire.Bind(new(ports.Host), new(*mcpserver.Host)),
			wire.Struct(new(workbench), "*"),
		),
	)
	return nil
}
