package application

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ResourceReader is the use case of reading resources that tools point at.
type ResourceReader struct {
	catalog   ports.Catalog
	sessions  *sessions.Sessions
	owners    *ResourceOwners
	ownership *sessions.Ownership
	log       *slog.Logger

	mu    sync.Mutex // guards lists; nothing blocks under it
	lists map[domain.ResourceKind]*resourceLists
}

// resourceLists are the lists of one kind.
type resourceLists struct {
	slow slowLists
	late map[domain.ServerID][]domain.Resource // of slow servers, as they came last
}

// NewResourceReader returns the use case over the sessions of a host. Owners records
// which server's result pointed at which resource. The use case adds to it where a
// resource was found, and adds the host's subscriptions to ownership.
func NewResourceReader(
	catalog ports.Catalog, sessions *sessions.Sessions, owners *ResourceOwners,
	ownership *sessions.Ownership, log *slog.Logger,
) *ResourceReader {
	return &ResourceReader{catalog: catalog, sessions: sessions, owners: owners, ownership: ownership, log: log, lists: map[domain.ResourceKind]*resourceLists{}}
}

// ListResources implements ports.ResourceReader. Resources of a slow server are those that it listed before; the host is told
// when others come.
func (r *ResourceReader) ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	_ = startAtUse(ctx, r.sessions, r.sessions.UnstartedWithResources()) // the others are listed
	connections := r.connectionsFor(kind == domain.Skills)
	of, inTime := r.listsOf(kind), map[domain.ServerID][]domain.Resource{}
	of.slow.ask(ctx, connections, func(ctx context.Context, connection *sessions.Connection, isLate func() bool) error {
		resources, err := r.list(ctx, connection, kind)
		if err != nil {
			r.log.Warn("could not list the resources", "toolbox", connection.Server.ID.Toolbox,
				"server", connection.Server.ID.Server, "error", err)
			return err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if id := connection.Server.ID; !isLate() {
			inTime[id] = resources
		} else if !slices.EqualFunc(of.late[id], resources, isSameResource) {
			of.late[id] = resources
			go r.sessions.ReportResources(connection)
		}
		return nil
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	lists := make([][]domain.Resource, len(connections))
	for i, connection := range connections {
		id := connection.Server.ID
		if listed, isInTime := inTime[id]; isInTime {
			lists[i] = listed
			delete(of.late, id)
		} else {
			lists[i] = of.late[id]
		}
	}
	return slices.Concat(lists...), ctx.Err()
}

// ListResourcesOf returns the resources, or the templates, of one server, however long that takes. A server that is not
// connected, and was not stopped as idle, has none.
func (r *ResourceReader) ListResourcesOf(ctx context.Context, server domain.ServerID, kind domain.ResourceKind) ([]domain.Resource, error) {
	for _, connection := range ofServers(r.connections(), isServer(server)) {
		return r.list(ctx, connection, kind)
	}
	return nil, nil
}

// isSameResource reports whether two entries of a list say the same.
func isSameResource(a, b domain.Resource) bool {
	return a.URI == b.URI && string(a.Definition) == string(b.Definition)
}

// listsOf returns the lists of a kind.
func (r *ResourceReader) listsOf(kind domain.ResourceKind) *resourceLists {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lists[kind] == nil {
		r.lists[kind] = &resourceLists{late: map[domain.ServerID][]domain.Resource{}}
	}
	return r.lists[kind]
}

// list lists the resources of one server, which is started if it was stopped as idle, and
// remembers them.
func (r *ResourceReader) list(ctx context.Context, last *sessions.Connection, kind domain.ResourceKind) ([]domain.Resource, error) {
	connection, err := r.sessions.Acquire(ctx, last)
	if err != nil {
		return nil, err
	}
	defer connection.Leave()
	resources, err := connection.Session.ListResources(ctx, kind)
	if err == nil {
		r.owners.listed(last.Server.ID, kind, resources)
	}
	return resources, err
}

// connections returns the connections to servers that have resources, in the order of the
// configuration: those that are live, and those to servers that were stopped as idle.
func (r *ResourceReader) connections() []*sessions.Connection {
	var connections []*sessions.Connection
	for server := range domain.ServersOf(r.catalog.Toolboxes()) {
		connection, live := r.sessions.Last(server.ID)
		if (live || connection != nil && connection.IsAsleep()) && connection.Session.Declares("resources") {
			connections = append(connections, connection)
		}
	}
	return connections
}
