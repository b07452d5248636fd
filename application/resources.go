package application

import (
	"context"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ResourceReader is the use case of reading what tools point at.
type ResourceReader struct {
	catalog  ports.Catalog
	sessions *Sessions
	pointers *Pointers
}

// NewResourceReader returns the use case over the sessions that there are.
func NewResourceReader(catalog ports.Catalog, sessions *Sessions, pointers *Pointers) *ResourceReader {
	return &ResourceReader{catalog: catalog, sessions: sessions, pointers: pointers}
}

// ListResources implements ports.ResourceReader.
func (r *ResourceReader) ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error) {
	connections := r.connections()
	lists := make([][]domain.Resource, len(connections))
	var all sync.WaitGroup
	for i, connection := range connections {
		all.Go(func() {
			definitions, err := connection.Session.ListResources(ctx, kind)
			if err != nil {
				connection.log.Warn("could not list the resources", "toolbox", connection.server.ID.Toolbox,
					"server", connection.server.ID.Server, "error", err)
			}
			for _, definition := range definitions {
				lists[i] = append(lists[i], domain.Resource{Server: connection.server.ID, Definition: definition})
			}
		})
	}
	all.Wait()
	return slices.Concat(lists...), ctx.Err()
}

// RequestResource implements ports.ResourceReader.
func (r *ResourceReader) RequestResource(ctx context.Context, uri string, request domain.Message, reply domain.Reply) {
	connections := r.connections()
	if len(connections) == 0 {
		reply(domain.Answer{}, domain.ErrResourceNotFound)
		return
	}
	if id, known := r.pointers.server(uri); known {
		i := slices.IndexFunc(connections, func(c *Connection) bool { return c.server.ID == id })
		if i >= 0 {
			connections = connections[i : i+1]
		}
	}
	request.Params = slices.Clone(request.Params)
	askInTurn(ctx, connections, request, func(connection *Connection, answer domain.Answer, err error) {
		if err == nil && answer.Error == nil {
			r.pointers.add(connection.server.ID, []string{uri})
		}
		reply(answer, err)
	})
}

// askInTurn asks one server after the other until one has a result. If none has,
// the first one's answer counts.
func askInTurn(
	ctx context.Context, connections []*Connection, request domain.Message, reply func(*Connection, domain.Answer, error),
) {
	first := connections[0]
	ask := domain.Request{Message: request, Limit: first.server.Limits.Call}
	first.Session.Request(ctx, ask, func(answer domain.Answer, err error) {
		if err == nil && answer.Error == nil || len(connections) == 1 || ctx.Err() != nil {
			reply(first, answer, err)
			return
		}
		answer = domain.Answer{Error: slices.Clone(answer.Error)}
		askInTurn(ctx, connections[1:], request, func(connection *Connection, later domain.Answer, laterErr error) {
			if laterErr == nil && later.Error == nil {
				reply(connection, later, nil)
				return
			}
			reply(first, answer, err)
		})
	})
}

// connections returns the live connections to servers that have resources, in the
// order of the configuration.
func (r *ResourceReader) connections() []*Connection {
	var connections []*Connection
	for _, toolbox := range r.catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			connection, live := r.sessions.Known(server.ID)
			if live && connection.Session.Declares("resources") {
				connections = append(connections, connection)
			}
		}
	}
	return connections
}
