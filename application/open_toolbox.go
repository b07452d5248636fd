package application

import (
	"context"
	"errors"
	"sync"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolboxOpener is the use case OpenToolbox.
type ToolboxOpener struct {
	catalog       ports.Catalog
	sessions      *sessions.Sessions
	opened        *Opened
	openings      *Openings
	registrations *Registrations // nil when no tools are registered
	logins        *Logins        // nil when nobody is asked to log in
}

// NewToolboxOpener returns the use case. It adds the toolboxes that it opens to
// opened, and their tools to registrations, which may be nil. The openings are those
// that the closing of toolboxes waits for. Logins, which may be nil, has people log in
// at servers that need it.
func NewToolboxOpener(
	catalog ports.Catalog, sessions *sessions.Sessions, opened *Opened, openings *Openings, registrations *Registrations,
	logins *Logins,
) *ToolboxOpener {
	return &ToolboxOpener{
		catalog: catalog, sessions: sessions, opened: opened, openings: openings, registrations: registrations, logins: logins,
	}
}

// OpenToolbox implements ports.ToolboxOpener. Callers that come while the toolbox
// is being opened share the answer, failures too.
func (o *ToolboxOpener) OpenToolbox(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
	toolbox, err := o.catalog.Toolbox(name)
	if err != nil {
		return domain.OpenedToolbox{}, err
	}
	return o.openings.open(ctx, name, func(ctx context.Context) (domain.OpenedToolbox, error) {
		return o.open(ctx, toolbox)
	})
}

func (o *ToolboxOpener) open(ctx context.Context, toolbox domain.Toolbox) (domain.OpenedToolbox, error) {
	o.sessions.AllowToolbox(toolbox.Name)
	result := domain.OpenedToolbox{Toolbox: toolbox, Servers: make([]domain.OpenedServer, len(toolbox.Servers))}
	begun := time.Now()
	var all sync.WaitGroup
	awaited := &awaitedServers{begun: begun}
	var lazy []func()
	kept := o.findKept(toolbox)
	for i, server := range toolbox.Servers {
		due := begun.Add(server.Limits.OpenReply)
		show := func(connection *sessions.Connection, err error) {
			switch {
			case errors.Is(err, domain.ErrLoginRequired):
				all.Go(func() { result.Servers[i] = o.showAfterLogin(ctx, server, err, due) })
			case err != nil:
				result.Servers[i] = domain.OpenedServer{ID: server.ID, Failure: err}
			default:
				all.Go(func() { result.Servers[i] = o.show(ctx, connection, due) })
			}
		}
		starting, err := o.sessions.Start(ctx, server)
		if err != nil {
			show(nil, err)
			continue
		}
		if kept, ok := o.sessions.ShowKept(starting, kept[i]); ok {
			lazy = append(lazy, func() { showUnlessEnded(&result.Servers[i], server.ID, starting, kept, show) })
			continue
		}
		awaited.add(starting, server.Limits, show)
	}
	awaited.wait(ctx)
	for _, show := range lazy { // some may be up by now
		show()
	}
	all.Wait()
	for i := range result.Servers {
		if server := &result.Servers[i]; server.Starting {
			server.OnlyRead, server.AllOnlyRead = o.sessions.OnlyReading(server.ID, server.Tools)
		}
	}
	if result.HasFailed() {
		return result, domain.ErrAllServersFailed
	}
	o.opened.Add(toolbox.Name)
	if o.registrations != nil {
		o.registrations.update(toolbox.Name)
	}
	return result, nil
}

// findKept returns what servers listed in an earlier run, for each server of the toolbox. It
// is found before any of them is started, since a start takes the processor for a while.
func (o *ToolboxOpener) findKept(toolbox domain.Toolbox) []*sessions.KeptTools {
	kept := make([]*sessions.KeptTools, len(toolbox.Servers))
	if !toolbox.IsLazy() {
		return kept
	}
	var all sync.WaitGroup
	for i, server := range toolbox.Servers {
		all.Go(func() { kept[i] = o.sessions.FindKept(server) })
	}
	all.Wait()
	return kept
}

// showUnlessEnded shows the tools that a server listed last, or, if its start has ended,
// what came of that.
func showUnlessEnded(
	shown *domain.OpenedServer, id domain.ServerID, starting *sessions.Starting, kept domain.ToolList,
	show func(*sessions.Connection, error),
) {
	select {
	case <-starting.Ended():
		show(starting.Outcome())
	default:
		*shown = domain.OpenedServer{ID: id, Tools: kept.Tools, Instructions: kept.Instructions, Warnings: kept.Warnings, Starting: true}
	}
}

// showAfterLogin returns what a server offers that could not be connected to for want of a
// login. Logins and connections are waited for until the reply is due.
func (o *ToolboxOpener) showAfterLogin(ctx context.Context, server domain.Server, failure error, due time.Time) domain.OpenedServer {
	for range maxLogins {
		if err := o.logins.awaitForOpening(ctx, server, failure, due); err != nil {
			return domain.OpenedServer{ID: server.ID, Failure: err}
		}
		var connection *sessions.Connection
		if connection, failure = o.connectUntil(ctx, server, due); failure == nil {
			return o.show(ctx, connection, due)
		}
		if !errors.Is(failure, domain.ErrLoginRequired) {
			break
		}
	}
	return domain.OpenedServer{ID: server.ID, Failure: failure}
}

// connectUntil connects to a server and waits for it until the reply is due.
func (o *ToolboxOpener) connectUntil(ctx context.Context, server domain.Server, due time.Time) (*sessions.Connection, error) {
	starting, err := o.sessions.Start(ctx, server)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	select {
	case <-starting.Ended():
		return starting.Outcome()
	case <-ctx.Done():
		return nil, starting.Overdue(time.Since(starting.Since()))
	}
}

// show returns what a server that is up offers. A list that is read again is waited
// for until the reply is due.
func (o *ToolboxOpener) show(ctx context.Context, connection *sessions.Connection, due time.Time) domain.OpenedServer {
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	connection.RetryListing(due.Add(-connection.Server.Limits.OpenReply))
	connection.Refresh(ctx)
	list := connection.Tools()
	warnings := list.Warnings
	id := connection.Server.ID
	if why := o.sessions.TakeRestart(id); why != "" {
		warnings = append([]domain.Warning{{Kind: domain.ServerRestarted, Detail: why}}, warnings...)
	}
	opened := domain.OpenedServer{ID: id, Tools: list.Tools, Instructions: list.Instructions, Warnings: warnings}
	opened.OnlyRead, opened.AllOnlyRead = connection.OnlyReading(list.Tools)
	return opened
}
