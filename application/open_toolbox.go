package application

import (
	"context"
	"fmt"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolboxOpener is the use case OpenToolbox.
type ToolboxOpener struct {
	catalog  ports.Catalog
	sessions *Sessions
	opened   *Opened
	openings openings
}

// NewToolboxOpener returns the use case. Toolboxes that it opens are noted in
// opened.
func NewToolboxOpener(catalog ports.Catalog, sessions *Sessions, opened *Opened) *ToolboxOpener {
	return &ToolboxOpener{catalog: catalog, sessions: sessions, opened: opened}
}

// OpenToolbox implements ports.ToolboxOpener. Callers that come while the toolbox
// is being opened share the answer, failures too.
func (o *ToolboxOpener) OpenToolbox(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
	toolbox, err := o.catalog.Toolbox(name)
	if err != nil {
		return domain.OpenedToolbox{}, err
	}
	return o.openings.join(ctx, name, func(ctx context.Context) (domain.OpenedToolbox, error) {
		return o.open(ctx, toolbox)
	})
}

func (o *ToolboxOpener) open(ctx context.Context, toolbox domain.Toolbox) (domain.OpenedToolbox, error) {
	o.sessions.admit(toolbox.Name)
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
	return result, nil
}

// openServer waits for one server until its reply is due.
func (o *ToolboxOpener) openServer(ctx context.Context, server domain.Server) domain.OpenedServer {
	limit := server.Limits.OpenReply
	due, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	connection, err := o.sessions.Connection(due, server)
	if due.Err() != nil && err != nil && ctx.Err() == nil {
		err = &domain.ServerUnavailableError{ID: server.ID, Reason: stillStarting(limit)}
	}
	if err != nil {
		return domain.OpenedServer{ID: server.ID, Failure: err}
	}
	connection.retryListing()
	connection.Refresh(due)
	list := connection.List()
	warnings := list.Warnings
	if restarted := connection.restarted.Swap(nil); restarted != nil {
		warnings = append([]domain.Warning{*restarted}, warnings...)
	}
	return domain.OpenedServer{ID: server.ID, Tools: list.Tools, Instructions: list.Instructions, Warnings: warnings}
}

func stillStarting(limit time.Duration) string {
	return fmt.Sprintf("still starting after %gs; open the toolbox again to see its tools", limit.Seconds())
}
