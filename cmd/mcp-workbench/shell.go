package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/listings"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/shell"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/application"
	"mcp-workbench/application/sessions"
	"mcp-workbench/ports"
)

// shellTools is the part of the program that commands use servers with, once it is wired.
type shellTools struct {
	lister   ports.ToolLister
	user     ports.ToolUser
	host     *shell.Host
	sessions *sessions.Sessions
	// shutdownLimit is how long all servers together may take to exit.
	shutdownLimit time.Duration
}

// noWatcher is for commands, which do not follow the tools of servers.
func noWatcher() sessions.Watcher { return nil }

// visit is one use of servers by a command.
type visit struct {
	*preparation
	screen *terminal.Output
	starts *shell.Starts
	tools  *shellTools
}

// newVisit loads the configuration for a command that uses servers. Log records pass through
// the handlers that wrap returns. The caller closes the visit.
func newVisit(options options, wrap ...func(slog.Handler) slog.Handler) (*visit, error) {
	screen := console.Err
	starts := shell.NewStarts(screen)
	if screen.Columns() > 0 {
		wrap = append(wrap, starts.Handler)
	}
	prepared, err := prepareOn(options, func(handler slog.Handler) slog.Handler {
		for _, handlerOf := range wrap {
			handler = handlerOf(handler)
		}
		return handler
	})
	if err != nil {
		return nil, err
	}
	if options.logLevel == "" {
		prepared.level.Set(slog.LevelError) // commands report servers that cannot be reached
	}
	return &visit{preparation: prepared, screen: screen, starts: starts}, nil
}

// withServers calls a function that needs servers, and stops the servers in any case. A signal
// ends its context; after a second one servers get no more time to exit by themselves.
func (v *visit) withServers(ctx context.Context, do func(ctx context.Context) error) error {
	process := newProcess(v.configuration, v.transports, mcpserver.Version(version()), v.log)
	v.tools = newShellTools(process, v.screen)
	using, stopping, stop := untilSignals(ctx)
	defer stop()
	err := do(using)
	closing, cancel := context.WithTimeout(stopping, v.tools.shutdownLimit)
	defer cancel()
	v.tools.sessions.Close(closing)
	if using.Err() != nil && err != nil {
		return &exitError{code: exitFailure, err: errors.New("interrupted")}
	}
	return err
}

// commandTools returns the tools for the commands list and call, once servers are wired.
func (v *visit) commandTools() *shell.Tools {
	return &shell.Tools{
		Lister: v.tools.lister, User: v.tools.user, Host: v.tools.host, Screen: v.screen, Starts: v.starts, Log: v.log,
		KeepNames: newSeenTools(v.configuration).KeepNames,
	}
}

// newSeenTools returns the names of the tools that commands listed, for completion.
func newSeenTools(configuration *config.Configuration) *listings.Folder {
	owner := configuration.Path
	if whole, err := filepath.Abs(owner); err == nil {
		owner = whole
	}
	return listings.New(listingsDirectory, owner, slog.New(slog.DiscardHandler))
}

// find finds the place that a command line names.
func (v *visit) find(text string) (shell.Place, error) {
	place, err := shell.FindPlace(v.configuration.Catalog.Toolboxes(), text)
	return place, shellExit(err)
}

// shellExit returns a failure of a command with its exit code.
func shellExit(err error) error {
	if err == nil {
		return nil
	}
	codes := map[shell.Kind]int{shell.Usage: exitUsage, shell.Unreachable: exitUnreachable, shell.ToolError: exitToolError}
	if failure, ok := errors.AsType[*shell.CommandError](err); ok {
		return &exitError{code: codes[failure.Kind], err: err}
	}
	return ended(err)
}

// noLogins is for commands, which do not begin logins.
func noLogins() *application.Logins { return nil }

// noListings is for commands, which wait for every server.
func noListings() ports.Listings { return nil }
