package application

import (
	"context"
	"fmt"
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
	var all sync.WaitGroup
	for i, server := range toolbox.Servers {
		all.Go(func() { result.Servers[i] = o.openServer(ctx, server) })
	}
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

// openServer waits for one server until its reply is due.
func (o *ToolboxOpener) openServer(ctx context.Context, server domain.Server) domain.OpenedServer {
	limit := server.Limits.OpenReply
	due, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	connection, err := o.sessions.Connect(due, server)
	if due.Err() != nil && err != nil && ctx.Err() == nil {
		err = &domain.ServerUnavailableError{ID: server.ID, Reason: stillStarting(limit)}
	}
	if err != nil {
		return domain.OpenedServer{ID: server.ID, Failure: err}
	}
	connection.RetryListing()
	connection.Refresh(due)
	list := connection.Tools()
	warnings := list.Warnings
	if why := o.sessions.TakeRestart(server.ID); why != "" {
		warnings = append([]domain.Warning{{Kind: domain.ServerRestarted, Detail: why}}, warnings...)
	}
	return domain.OpenedServer{ID: server.ID, Tools: list.Tools, Instructions: list.Instructions, Warnings: warnings}
}

func stillStarting(limit time.Duration) string {
	return fmt.Sprintf("still starting after %gs; open the toolbox again to see its tools", limit.Seconds())
}
