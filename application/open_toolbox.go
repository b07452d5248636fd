package application

import (
	"context"
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
}

// NewToolboxOpener returns the use case. It adds the toolboxes that it opens to
// opened, and their tools to registrations, which may be nil. The openings are those
// that the closing of toolboxes waits for.
func NewToolboxOpener(
	catalog ports.Catalog, sessions *sessions.Sessions, opened *Opened, openings *Openings, registrations *Registrations,
) *ToolboxOpener {
	return &ToolboxOpener{catalog: catalog, sessions: sessions, opened: opened, openings: openings, registrations: registrations}
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
	for i, server := range toolbox.Servers {
		show := func(connection *sessions.Connection, err error) {
			if err != nil {
				result.Servers[i] = domain.OpenedServer{ID: server.ID, Failure: err}
				return
			}
			all.Go(func() { result.Servers[i] = o.show(ctx, connection, begun.Add(server.Limits.OpenReply)) })
		}
		starting, err := o.sessions.Start(ctx, server)
		if err != nil {
			show(nil, err)
			continue
		}
		awaited.add(starting, server.Limits, show)
	}
	awaited.wait(ctx)
	all.Wait()
	if result.Connected() == 0 {
		return result, domain.ErrAllServersFailed
	}
	o.opened.Add(toolbox.Name)
	if o.registrations != nil {
		o.registrations.update(toolbox.Name)
	}
	return result, nil
}

// show returns what a server that is up offers. A list that is read again is waited
// for until the reply is due.
func (o *ToolboxOpener) show(ctx context.Context, connection *sessions.Connection, due time.Time) domain.OpenedServer {
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	connection.RetryListing()
	connection.Refresh(ctx)
	list := connection.Tools()
	warnings := list.Warnings
	id := connection.Server.ID
	if why := o.sessions.TakeRestart(id); why != "" {
		warnings = append([]domain.Warning{{Kind: domain.ServerRestarted, Detail: why}}, warnings...)
	}
	return domain.OpenedServer{ID: id, Tools: list.Tools, Instructions: list.Instructions, Warnings: warnings}
}
