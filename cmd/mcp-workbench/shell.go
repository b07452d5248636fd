package main

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/doctor"
	"mcp-workbench/adapters/lock/listings"
	record "mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/adapters/terminal/shell/approvals"
	"mcp-workbench/adapters/terminal/shell/remote"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/application"
	"mcp-workbench/application/results"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// shellTools are the wired use cases with which commands use servers.
type shellTools struct {
	lister   *application.ToolLister
	user     ports.ToolUser
	reader   *application.ResourceReader
	results  ports.ResultKeeper
	sessions *sessions.Sessions
	known    *sessions.KnownTools
	reloaded *application.ReloadedHost
}

// commandHost is what a host has and a command does not: other callers, toolboxes to open, kept lists of tools, tools that
// are registered, and logins that begin during calls. All of it stays empty.
type commandHost struct {
	shared        results.SharedHost
	caller        caller
	share         sessions.Share
	watcher       sessions.Watcher
	opener        *application.ToolboxOpener
	opensOnUse    application.OpensOnUse
	logins        *application.Logins
	listings      ports.Listings
	registrations *application.Registrations
}

// commandAudience is what servers and observers see of commands: of one, or in the background of all that a shell makes.
type commandAudience struct {
	host      ports.Host
	connector ports.Connector
	observers *application.Observers
	started   ports.ActivityObserver // of starts and ends of servers, nil for none
}

// unwatched is a host that is not told of reloads of the configuration.
type unwatched struct{}

// ConfigurationRead implements ports.ConfigurationWatcher.
func (unwatched) ConfigurationRead(domain.ConfigurationRead) {}

// callingHost is the name of the command call in the record of activity.
const callingHost = "mcp-workbench call"

// visit is one use of servers by a command.
type visit struct {
	*preparation
	screen *terminal.Output
	starts *shell.Starts
	tools  *shellTools
	host   *shell.Host
	// shares says that the servers of the background workbench are used if there is one, those of the session with this
	// name, "" for that of the terminal.
	shares  bool
	session string
	// observers are told of calls, once servers are wired, and remote has the servers, nil for those of this process.
	observers *application.Observers
	remote    *remote.Client
	// listings keep tools for searches, once servers are wired.
	listings ports.Listings
	// record is that of the user's calls, once servers are wired, nil if activity is not recorded.
	record *record.Record
}

// newVisit loads the configuration for a command that uses servers. Log records pass through
// the handlers that wrap returns. The caller closes the visit.
func newVisit(options options, wrap ...func(slog.Handler) slog.Handler) (*visit, error) {
	screen := console.Err
	starts := shell.NewStarts(screen)
	if screen.Columns() > 0 {
		wrap = append(wrap, starts.Handler)
	}
	prepared, err := prepare(options, wrap...)
	if err != nil {
		return nil, err
	}
	if !options.reportsWarnings && !options.namesPlace {
		printWarnings(prepared.configuration, "")
	}
	if options.flags.LogLevel == "" {
		prepared.level.Set(slog.LevelError) // commands report servers that cannot be reached
	}
	return &visit{preparation: prepared, screen: screen, starts: starts}, nil
}

// giveUpSooner makes the servers that withServers starts fail sooner than those of hosts, since a user waits.
func (v *visit) giveUpSooner() {
	giveUpOnRegistries(v.transports)
	v.configuration.Catalog = doctor.Impatient(v.configuration.Catalog)
}

// withServers calls a function that needs servers, and stops the servers in any case.
func (v *visit) withServers(ctx context.Context, do func(ctx context.Context) error) error {
	process := newProcess(v.preparation)
	v.host, v.observers = shell.NewHost(v.screen), &application.Observers{}
	folder, _ := os.Getwd() // "" where it was removed
	v.host.Approvals = newApprovals(approvals.Place{
		Configuration: v.configuration.Path, Folder: folder, Session: v.session, Values: v.valuesDigest(os.Environ()),
	})
	seen := commandAudience{host: v.host, connector: process.connector, observers: v.observers}
	v.tools, v.listings, v.record = newShellTools(process, seen), process.listings, process.record
	defer v.record.Close()
	if v.remote = v.background(ctx); v.remote != nil {
		defer v.remote.Close()
	}
	v.tools.lister.Listings = v.listings
	return process.use(ctx, do, v.tools.sessions.Close)
}

// commandTools returns the tools for the commands list, call and read, once servers are wired.
func (v *visit) commandTools() *shell.Tools {
	tools := &shell.Tools{
		Lister: v.tools.lister, User: v.tools.user, Reader: v.tools.reader, Warnings: wording.UserWarnings,
		Results: v.tools.results, Host: v.host, Screen: v.screen, Starts: v.starts, Log: v.log,
		KeepNames: v.keepNames,
	}
	if v.remote != nil { // which records the calls
		tools.Lister, tools.User, tools.Reader, tools.Warnings = v.remote, v.remote, v.remote, v.remote.Warnings
	} else {
		v.recordCalls()
	}
	return tools
}

// keepNames keeps the names of tools for completion. It fails only if others can change where they are kept, which the user
// should know: in a home that is read-only, agents read what each command prints.
func (v *visit) keepNames(server domain.Server, tools []domain.ToolInfo) error {
	err := newSeenTools(v.configuration).KeepNames(server, tools)
	if _, isExposed := errors.AsType[*safefile.ExposedError](err); err != nil && !isExposed {
		v.log.Debug("cannot store the names of tools for completion", "error", err)
		return nil
	}
	return err
}

// recordCalls records the calls like those of a host with the name of the command.
func (v *visit) recordCalls() {
	recorded := v.record.Host("", func() domain.HostInfo { return domain.HostInfo{Name: callingHost, Version: version} })
	if recorded != nil {
		v.observers.Activity = recorded
	}
}

// finder returns the use case that finds tools, over what is known without a server.
func (v *visit) finder() *application.ToolFinder {
	process := newProcess(v.preparation)
	return application.NewToolFinder(process.indexes, process.current, sessions.NewKnownTools(), nil, process.pinning, process.listings)
}

// newSeenTools returns the names of the tools that commands listed, for completion.
func newSeenTools(configuration *config.Configuration) *listings.Folder {
	return listings.Seen(safefile.InStateFolder("listings"), configuration.Path)
}

// find finds the place that a command line names, and prints the warnings about its toolbox.
func (v *visit) find(text string) (shell.Place, error) {
	place, err := shell.FindPlace(v.configuration.Catalog.Toolboxes(), text, newSeenTools(v.configuration).Names)
	if err != nil {
		return place, v.notFound(text, err)
	}
	printWarnings(v.configuration, place.Toolbox.Name)
	return place, nil
}

// findServer finds the server that a command line names, and prints the warnings about its toolbox.
func (v *visit) findServer(text string) (domain.Server, error) {
	server, err := shell.FindServer(v.configuration.Catalog.Toolboxes(), text)
	if err != nil {
		return server, v.notFound(text, err)
	}
	printWarnings(v.configuration, server.ID.Toolbox)
	return server, nil
}

// notFound returns the failure to find a name. The configuration may disable it, or have mistakes that leave it out.
func (v *visit) notFound(name string, err error) error {
	if disabled := shell.CheckEnabled(v.configuration.Catalog.Disabled(), name); disabled != nil {
		return disabled
	}
	if onlySkills := shell.CheckServers(v.configuration.Catalog.WithSkills(), name); onlySkills != nil {
		return onlySkills
	}
	if len(v.configuration.Problems) > 0 {
		return &exitError{Code: exitConfiguration, Err: err}
	}
	return err
}

// concluded returns how a listing ended. Scripts see from the exit code that a listing is incomplete.
func (v *visit) concluded(err error) error {
	if err == nil && len(v.configuration.Problems) > 0 {
		return &exitError{Code: exitConfiguration}
	}
	return err
}
