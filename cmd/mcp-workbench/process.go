package main

import (
	"log/slog"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// process is what belongs to the process and is the same for every host: the
// configuration, the lock, the way to servers and what hosts are shown. Nothing in it knows a host.
type process struct {
	configuration *config.Configuration
	catalog       ports.Catalog
	settings      definitions.Settings
	connector     ports.Connector
	file          *lockfile.File
	definitions   ports.Definitions
	pinning       *pinning.Pinning
	program       *mcpserver.Program
	log           *slog.Logger
	// shutdownLimit is how long all servers together may take to exit.
	shutdownLimit time.Duration
}

// maxInFlight bounds the requests of a host that are under way at once.
const maxInFlight = 4096

func newHostLimits(configuration *config.Configuration) mcpserver.Limits {
	return mcpserver.Limits{MessageSize: configuration.Limits.MessageSize, InFlight: maxInFlight, InputReply: configuration.Limits.InputReply}
}

func newShutdownLimit(configuration *config.Configuration) time.Duration {
	longest := domain.DefaultLimits().Shutdown
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			longest = max(longest, server.Limits.Shutdown)
		}
	}
	return longest
}

// newLockFile returns the lock beside the configuration. Nothing is read before
// it is needed.
func newLockFile(configuration *config.Configuration) *lockfile.File {
	return lockfile.Beside(configuration.Path)
}

func newPinning(configuration *config.Configuration, pins ports.Pins, definitions ports.Definitions) *pinning.Pinning {
	return pinning.New(configuration.Pinning, pins, definitions)
}
