package main

import (
	"log/slog"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/host"
	record "mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/application/results"
	"mcp-workbench/application/sessions"
	"mcp-workbench/application/sharing"
	"mcp-workbench/ports"
)

// workbench is wired for one host: the server that the host talks to, and the sessions of its
// servers.
type workbench struct {
	server   *mcpserver.Server
	sessions *sessions.Sessions
	results  *results.Keeper
	reloaded *application.ReloadedHost
	opened   *application.Opened
	tracing  *telemetry.Host
	known    *sessions.KnownTools
}

// newHostConnector returns the connector of one host, which records spans of calls.
func newHostConnector(connector *sharing.Connector, tracing *telemetry.Host) ports.Connector {
	return tracing.Connector(connector)
}

// workbench wires a workbench for a host, whose name gets into the log and the record.
func (p *process) workbench(seen audience) *workbench {
	connected := newWorkbench(p, seen)
	seen.described.server.Store(connected.server)
	return connected
}

// newObservers returns what is told of the calls and openings of a host, in order.
func newObservers(
	configuration *config.Configuration, current *application.Current, observed application.ActivityObservers, recorded *record.Host,
	tracing *telemetry.Host, log *slog.Logger,
) *application.Observers {
	observers := &application.Observers{Tools: recorded.Tools()}
	if len(observed) > 0 {
		observers.Activity = observed
	}
	if configuration.LogPayloads {
		observers.Calls = append(observers.Calls, application.NewPayloadLog(current.LogsPayloads, log))
	}
	if tracing != nil {
		observers.Calls = append(observers.Calls, tracing)
	}
	return observers
}

// newOpeningNotes returns the notes of one host. Openings keep what describes their toolboxes, and the list of their
// tools for searches of hosts and of users.
func newOpeningNotes(
	current *application.Current, pins *pinning.Pinning, definitions ports.Definitions,
	prompts *application.PromptReader, known *sessions.KnownTools, registrations *application.Registrations,
	listings ports.Listings,
) []application.OpeningNote {
	return append([]application.OpeningNote{application.KeepOpened(listings), application.KeepDescriptions(listings)},
		application.NewOpeningNotes(current, pins, definitions, prompts, known, registrations)...)
}

// newFinder returns the use case that finds tools for a host, nil unless it is configured.
func newFinder(
	configuration *config.Configuration, indexes *application.ToolIndexes, catalog ports.Catalog, known *sessions.KnownTools, servers *sessions.Sessions,
	pins *pinning.Pinning, listings ports.Listings,
) ports.ToolFinder {
	if !configuration.FindTool {
		return nil
	}
	return application.NewToolFinder(indexes, catalog, known, servers, pins, listings)
}

// newLogins returns the use case that asks the user at the host to log in. Without logins of users, logins
// are those of the operator.
func newLogins(userLogins *login.Logins, prompter ports.LoginPrompter, log *slog.Logger) *application.Logins {
	if userLogins == nil {
		return application.NewOperatorLogins()
	}
	return application.NewLogins(userLogins, prompter, log)
}

// newPages returns the pages that are passed on to a host, nil unless they are configured.
func newPages(configuration *config.Configuration, h *host.Host, pins *pinning.Pinning, listings ports.Listings) *application.Pages {
	if !configuration.Apps {
		return nil
	}
	return application.NewPages(h, application.NewClosedTools(pins, listings), wording.OwnToolNames()...)
}

// newDynamic reports whether hosts are shown the tools of open toolboxes.
func newDynamic(configuration *config.Configuration) application.Dynamic {
	return configuration.ToolMode == config.Dynamic
}

// newWatcher returns the watcher of the tools of servers, nil without registrations.
func newWatcher(registrations *application.Registrations) sessions.Watcher {
	return registrations.Watcher()
}

// newRegistered returns what the server needs to show registered tools, nil without registrations.
func newRegistered(
	dynamic application.Dynamic, catalog ports.Catalog, opened *application.Opened, sessions *sessions.Sessions,
	registrations *application.Registrations,
) *mcpserver.Registered {
	switch {
	case registrations == nil:
		return nil
	case !bool(dynamic):
		return mcpserver.NewRegistered(nil, registrations)
	}
	return mcpserver.NewRegistered(application.NewToolboxCloser(catalog, opened, sessions, registrations), registrations)
}
