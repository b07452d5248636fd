//go:build wireinject

package main

import (
	"github.com/google/wire"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/lock/lockreport"
	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/adapters/selection"
	"mcp-workbench/application"
	"mcp-workbench/application/results"
	"mcp-workbench/application/sessions"
	"mcp-workbench/ports"
)

// newProcess wires the parts of the process: one set for each layer, with all bindings
// in sight.
func newProcess(prepared *preparation) *process {
	wire.Build(
		wire.FieldsOf(new(*preparation), "configuration", "transports", "telemetry", "secrets", "log"),
		newPlace,
		newVersion,
		wire.NewSet( // configuration
			wire.FieldsOf(new(*config.Configuration), "Root"),
			wire.FieldsOf(new(config.Root), "Definitions"),
			newCurrent,
			newSettings,
			newCatalogOf,
			application.NewReloader,
			application.NewDescriptions,
			application.NewInstructionsBuilder,
			wire.Bind(new(ports.InstructionsBuilder), new(*application.InstructionsBuilder)),
			wire.Bind(new(ports.Catalog), new(*application.Current)),
			newHostSettings,
		),
		wire.NewSet( // downstream
			newTransportConnector,
			wire.Bind(new(ports.Connector), new(*transportConnector)),
			application.NewPreparingConnector,
			newPackages,
			wire.Bind(new(ports.Packages), new(*packages.Store)),
			newConnector,
			newBoard,
		),
		wire.NewSet( // lock
			newLocks,
			lockfile.NewDefinitions,
			newPinning,
			newListings,
			wire.Bind(new(ports.Pins), new(*lockfile.Locks)),
			wire.Bind(new(ports.PackageLocks), new(*lockfile.Locks)),
			wire.Bind(new(ports.Definitions), new(lockfile.Definitions)),
		),
		wire.NewSet( // results
			newSelections,
			application.NewToolIndexes,
			sessions.NewSubscriptionBudget,
			newKept,
			newRecord,
		),
		wire.NewSet( // server
			mcpserver.NewProgram,
			wire.Bind(new(ports.Listing), new(*mcpserver.Program)),
		),
		wire.Struct(new(process), "*"),
	)
	return nil
}

// newWorkbench wires the parts of one host. Workbenches share nothing but the
// process.
func newWorkbench(shared *process, seen audience) *workbench {
	wire.Build(
		wire.FieldsOf(new(*process), "configuration", "connector", "pinning", "listings", "definitions", "indexes", "selections", "subscriptions", "kept"),
		newHostConnector,
		wire.FieldsOf(new(audience), "current", "program", "userLogins", "observers", "recorded", "opensOnUse", "isShared", "caller", "log", "tracing"),
		wire.Bind(new(ports.ActivityObserver), new(application.ActivityObservers)),
		wire.Bind(new(ports.Catalog), new(*application.Current)),
		wire.Bind(new(ports.Listing), new(*mcpserver.Program)),
		newSettings,
		wire.NewSet( // application
			sessions.New,
			sessions.NewKnownTools,
			sessions.NewOwnership,
			newSubscriptionShare,
			application.NewOpened,
			application.NewToolboxOpener,
			application.NewToolSpeller,
			wire.Bind(new(ports.ToolSpeller), new(*application.ToolSpeller)),
			newOpeningNotes,
			application.NewServers,
			application.NewGates,
			application.NewToolUser,
			application.NewConfirmations,
			application.NewArgumentChecker,
			application.NewServerStarter,
			application.NewResourceOwners,
			application.NewTaskFollower,
			application.NewResourceReader,
			application.NewPromptReader,
			application.NewCompleter,
			application.NewReloadedHost,
			newKeeper,
			newSelector,
			wire.Bind(new(ports.Selector), new(*selection.Selector)),
			newObservers,
			wire.Bind(new(ports.ToolUser), new(*application.ToolUser)),
			wire.Bind(new(ports.ToolboxOpener), new(*application.ToolboxOpener)),
			application.NewRegistrations,
			newDynamic,
			newWatcher,
			newRegistered,
			newPages,
			newFinder,
			newLogins,
			wire.Bind(new(ports.ResourceReader), new(*application.ResourceReader)),
			wire.Bind(new(ports.PromptReader), new(*application.PromptReader)),
			wire.Bind(new(ports.Completer), new(*application.Completer)),
			wire.Bind(new(ports.TaskFollower), new(*application.TaskFollower)),
			wire.Bind(new(ports.ResultKeeper), new(*results.Keeper)),
			wire.Bind(new(ports.ShownDefinitions), new(*application.ArgumentChecker)),
			wire.Bind(new(ports.Announcer), new(*sessions.Sessions)),
			wire.Bind(new(ports.ServerStarter), new(*application.ServerStarter)),
		),
		wire.NewSet( // server
			host.New,
			mcpserver.New,
			wire.Struct(new(mcpserver.UseCases), "*"),
			wire.Bind(new(ports.Host), new(*host.Host)),
			wire.Bind(new(ports.LoginPrompter), new(*host.Host)),
			wire.Bind(new(ports.ToolWatcher), new(*host.Host)),
			wire.Bind(new(ports.ConfigurationWatcher), new(*host.Host)),
			wire.Struct(new(workbench), "*"),
		),
	)
	return nil
}

// newShellTools wires the use cases of list, call and read.
func newShellTools(shared *process, seen commandAudience) *shellTools {
	wire.Build(
		wire.FieldsOf(new(*process), "current", "pinning", "selections", "kept", "program", "log"),
		wire.FieldsOf(new(commandAudience), "host", "connector", "observers", "started"),
		wire.Bind(new(ports.Listing), new(*mcpserver.Program)),
		wire.Bind(new(ports.Catalog), new(*application.Current)),
		newSettings,
		wire.NewSet( // application
			wire.Struct(new(commandHost)),
			wire.FieldsOf(new(commandHost), "shared", "caller", "share", "watcher", "opener", "opensOnUse", "logins", "listings", "registrations"),
			wire.Struct(new(unwatched)),
			wire.Bind(new(ports.ConfigurationWatcher), new(unwatched)),
			application.NewReloadedHost,
			newKeeper,
			newSelector,
			wire.Bind(new(ports.Selector), new(*selection.Selector)),
			sessions.New,
			sessions.NewKnownTools,
			sessions.NewOwnership,
			application.AllOpened,
			application.NewToolLister,
			application.NewServers,
			application.NewGates,
			application.NewToolUser,
			application.NewConfirmations,
			application.NewArgumentChecker,
			application.NewResourceOwners,
			application.NewResourceReader,
			wire.Bind(new(ports.ToolUser), new(*application.ToolUser)),
			wire.Bind(new(ports.ResultKeeper), new(*results.Keeper)),
		),
		wire.Struct(new(shellTools), "*"),
	)
	return nil
}

// newLocker wires the part of the program that locks tools.
func newLocker(shared *process) *lockreport.Locker {
	wire.Build(
		wire.FieldsOf(new(*process), "current", "unpinned", "packages", "definitions", "file", "log"),
		wire.Bind(new(ports.Catalog), new(*application.Current)),
		wire.Bind(new(ports.Pins), new(*lockfile.Locks)),
		wire.Bind(new(ports.PackageLocks), new(*lockfile.Locks)),
		wire.Bind(new(ports.Packages), new(*packages.Store)),
		newInspectingHosts,
		application.NewToolLocker,
		wire.Bind(new(ports.ToolLocker), new(*application.ToolLocker)),
		wire.Struct(new(lockreport.Locker), "*"),
	)
	return nil
}
