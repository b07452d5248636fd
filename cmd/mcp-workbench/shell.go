package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/shell"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/application"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// shellTools is the part of the program that a person at a terminal uses, once it is
// wired.
type shellTools struct {
	lister   ports.ToolLister
	user     ports.ToolUser
	host     *shell.Host
	sessions *sessions.Sessions
	// shutdownLimit is how long all servers together may take to exit.
	shutdownLimit time.Duration
}

// noWatcher returns the watcher of sessions whose tools nobody follows.
func noWatcher() sessions.Watcher { return nil }

// visit is one use of servers from a terminal.
type visit struct {
	*preparation
	screen *terminal.Output
	starts *shell.Starts
	tools  *shellTools
}

// newVisit loads the configuration for a command that a person runs. What is logged goes
// through the handlers that wrap makes, too. The caller closes what it returns.
func newVisit(options options, wrap ...func(slog.Handler) slog.Handler) (*visit, error) {
	screen := console.Err
	starts := shell.NewStarts(screen)
	if screen.Columns() > 0 {
		wrap = append(wrap, starts.Handler)
	}
	prepared, err := prepareOn(options, func(handler slog.Handler) slog.Handler {
		for _, one := range wrap {
			handler = one(handler)
		}
		return handler
	})
	if err != nil {
		return nil, err
	}
	if options.logLevel == "" {
		prepared.level.Set(slog.LevelError) // the command says itself which servers cannot be reached
	}
	return &visit{preparation: prepared, screen: screen, starts: starts}, nil
}

// withServers runs what needs servers, and stops them in any case. A signal ends it;
// after a second one servers get no more time to exit by themselves.
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

// list starts the servers of a place and lists their tools, while the screen shows
// what they are doing.
func (v *visit) list(ctx context.Context, place shell.Place) (domain.OpenedToolbox, error) {
	servers := place.Toolbox.Servers
	if server, ok := place.Toolbox.Server(place.Server); ok {
		servers = []domain.Server{server}
	}
	end := v.starts.Begin(servers)
	defer end()
	listed, err := v.tools.lister.ListTools(ctx, place.Toolbox.Name, place.Server, func(server domain.OpenedServer) {
		v.starts.Done(server.ID)
	})
	if err != nil {
		return listed, &exitError{code: exitFailure, err: fmt.Errorf("list the tools of the toolbox %q: %w", place.Toolbox.Name, err)}
	}
	recordSeen(v.configuration.Path, listed, v.log)
	return listed, nil
}

// find finds what a person named.
func (v *visit) find(text string) (shell.Place, error) {
	place, err := shell.FindPlace(v.configuration.Catalog.Toolboxes(), text)
	return place, nameless(err)
}

// nameless returns the failure of somebody who named what does not exist, with what
// does.
func nameless(err error) error {
	if err == nil {
		return nil
	}
	suggestion := ""
	if toolbox, ok := errors.AsType[*domain.ToolboxNotFoundError](err); ok && len(toolbox.Available) == 0 {
		suggestion = "; there is none: 'mcp-workbench init' takes the servers of hosts, and 'mcp-workbench add' adds one"
	} else if ok {
		suggestion = domain.Suggest(string(toolbox.Toolbox), toolbox.Available)
	}
	if server, ok := errors.AsType[*domain.ServerNotFoundError](err); ok {
		suggestion = domain.Suggest(string(server.ID.Server), server.Available)
	}
	if tool, ok := errors.AsType[*domain.ToolNotFoundError](err); ok {
		suggestion = domain.Suggest(tool.Tool.Tool, tool.Available)
	}
	return &exitError{code: exitUsage, err: fmt.Errorf("%w%s", err, suggestion)}
}

// noLogins is for those who are told to log in and not asked to.
func noLogins() *application.Logins { return nil }

// noListings is for those who wait for every server.
func noListings() ports.Listings { return nil }
