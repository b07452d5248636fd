//go:build wireinject

package main

import (
	"log/slog"

	"github.com/google/wire"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream"
	"mcp-workbench/adapters/lockfile"
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
			newConnector,
		),
		wire.NewSet( // lock
			newLockFile,
			lockfile.NewDefinitions,
			wire.Bind(new(ports.Pins), new(*lockfile.File)),
			wire.Bind(new(ports.Definitions), new(lockfile.Definitions)),
		),
		wire.NewSet( // application
			newPinning,
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
			newToolboxOpener,
			newToolUser,
			newRegistrations,
			newDynamic,
			wire.Bind(new(ports.ResourceReader), new(*application.ResourceReader)),
			wire.Bind(new(ports.TaskFollower), new(*application.TaskFollower)),
			wire.Bind(new(ports.Announcer), new(*application.Announcer)),
			wire.Bind(new(ports.InstructionsBuilder), new(*application.InstructionsBuilder)),
		),
		wire.NewSet( // server
			mcpserver.New,
			mcpserver.NewHost,
			wire.Bind(new(ports.Host), new(*mcpserver.Host)),
			wire.Bind(new(ports.ToolWatcher), new(*mcpserver.Host)),
			wire.Struct(new(workbench), "*"),
		),
	)
	return nil
}

// newLocker wires the part of the program that locks tools.
func newLocker(configuration *config.Configuration, transports map[string]ports.Transport, log *slog.Logger) *locker {
	wire.Build(
		wire.NewSet( // configuration
			wire.FieldsOf(new(*config.Configuration), "Catalog"),
			wire.Bind(new(ports.Catalog), new(*config.Catalog)),
			newPatience,
		),
		wire.NewSet( // downstream
			downstream.NewRegistry,
			wire.Bind(new(ports.Connector), new(*downstream.Registry)),
		),
		wire.NewSet( // lock
			newLockFile,
			lockfile.NewDefinitions,
			wire.Bind(new(ports.Pins), new(*lockfile.File)),
			wire.Bind(new(ports.Definitions), new(lockfile.Definitions)),
		),
		wire.NewSet( // application
			wire.Value((*application.Pinning)(nil)), // every tool counts
			application.NewSessions,
			application.NewToolLocker,
			wire.Bind(new(ports.ToolLocker), new(*application.ToolLocker)),
		),
		wire.NewSet( // nobody is served: a host of which nothing is known
			mcpserver.NewHost,
			wire.Bind(new(ports.Host), new(*mcpserver.Host)),
			wire.Struct(new(locker), "*"),
		),
	)
	return nil
}
