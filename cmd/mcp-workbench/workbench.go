package main

import (
	"log/slog"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// workbench is the program once it is wired.
type workbench struct {
	server   *mcpserver.Server
	sessions *application.Sessions
	// patience is how long the servers may take to end, all together.
	patience time.Duration
}

// maxInFlight bounds the requests of a host that are under way at once.
const maxInFlight = 4096

func newHostLimits(configuration *config.Configuration) mcpserver.Limits {
	return mcpserver.Limits{MessageSize: configuration.Limits.MessageSize, InFlight: maxInFlight, Exchange: configuration.Limits.Exchange}
}

func newPatience(configuration *config.Configuration) time.Duration {
	longest := domain.DefaultLimits().Shutdown
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			longest = max(longest, server.Limits.Shutdown)
		}
	}
	return longest
}

// newToolUser returns what makes calls, and logs them if the configuration says so.
func newToolUser(configuration *config.Configuration, user *application.ToolUser, log *slog.Logger) ports.ToolUser {
	if configuration.LogPayloads {
		return application.NewPayloadLogger(user, log)
	}
	return user
}

// newLockFile returns the lock beside the configuration. Nothing is read before
// somebody needs it.
func newLockFile(configuration *config.Configuration) *lockfile.File {
	return lockfile.Beside(configuration.Path)
}

func newPinning(configuration *config.Configuration, pins ports.Pins, definitions ports.Definitions) *application.Pinning {
	return application.NewPinning(configuration.Pinning, pins, definitions)
}

// newRegistrations returns the registry of the tools of open toolboxes, nil when the
// configuration wants none.
func newRegistrations(
	configuration *config.Configuration, catalog ports.Catalog,
	sessions *application.Sessions, opened *application.Opened, watcher ports.ToolWatcher,
) *application.Registrations {
	if configuration.ToolMode != config.Dynamic {
		return nil
	}
	return application.NewRegistrations(catalog, sessions, opened, watcher)
}

// newDynamic returns what the server needs to show registered tools, nil when there
// are none.
func newDynamic(
	catalog ports.Catalog, opener *application.ToolboxOpener,
	sessions *application.Sessions, registrations *application.Registrations,
) *mcpserver.Dynamic {
	if registrations == nil {
		return nil
	}
	return mcpserver.NewDynamic(application.NewToolboxCloser(catalog, opener, sessions, registrations), registrations)
}

// newToolboxOpener returns what opens toolboxes and says what is not as it was, and
// what is registered.
func newToolboxOpener(
	opener *application.ToolboxOpener, catalog ports.Catalog, sessions *application.Sessions,
	pinning *application.Pinning, definitions ports.Definitions, registrations *application.Registrations,
) ports.ToolboxOpener {
	pinned := application.NewPinnedToolboxOpener(opener, catalog, sessions, pinning, definitions)
	if registrations == nil {
		return pinned
	}
	return application.NewRegisteringToolboxOpener(pinned, registrations)
}
