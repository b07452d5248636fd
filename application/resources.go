package application

import (
	"context"
	"encoding/json"
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
	followed whereabouts // where resources were subscribed to last
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
			definitions, err := r.list(ctx, connection, kind)
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

// list lists the resources of one server, which is started if it was stopped
// because nobody used it.
func (r *ResourceReader) list(ctx context.Context, of *Connection, kind domain.ResourceKind) ([]json.RawMessage, error) {
	connection, err := r.sessions.use(ctx, of)
	if err != nil {
		return nil, err
	}
	defer connection.idle.leave()
	return connection.Session.ListResources(ctx, kind)
}

// RequestResource implements ports.ResourceReader.
func (r *ResourceReader) RequestResource(ctx context.Context, uri string, request ports.Message, reply ports.Reply) {
	connections := r.connections()
	if len(connections) == 0 {
		reply(ports.Answer{}, domain.ErrResourceNotFound)
		return
	}
	if id, known := r.whereabouts(request.Method, uri); known {
		i := slices.IndexFunc(connections, func(c *Connection) bool { return c.server.ID == id })
		if i >= 0 {
			connections = connections[i : i+1]
		}
	}
	request.Params = slices.Clone(request.Params)
	r.askInTurn(ctx, connections, request, func(connection *Connection, answer ports.Answer, err error) {
		if err == nil && answer.Error == nil {
			r.pointers.add(connection.server.ID, []string{uri})
			r.follow(connection, request.Method, uri)
		}
		reply(answer, err)
	})
}

// whereabouts returns the server that is known to have the resource. A subscription
// ends where it began, whatever pointed at the resource since.
func (r *ResourceReader) whereabouts(method, uri string) (domain.ServerID, bool) {
	if method == domain.MethodResourcesUnsubscribe {
		if id, known := r.followed.server(uri); known {
			return id, true
		}
	}
	return r.pointers.server(uri)
}

// follow notes subscriptions: a server that has some is not idle.
func (r *ResourceReader) follow(connection *Connection, method, uri string) {
	switch method {
	case domain.MethodResourcesSubscribe:
		r.followed.add(connection.server.ID, []string{uri})
		connection.idle.hold("resource " + uri)
	case domain.MethodResourcesUnsubscribe:
		connection.idle.release("resource " + uri)
	}
}

// askInTurn asks one server after the other until one has a result. If none has,
// the first one's answer counts.
func (r *ResourceReader) askInTurn(
	ctx context.Context, connections []*Connection, request ports.Message, reply func(*Connection, ports.Answer, error),
) {
	r.ask(ctx, connections[0], request, func(first *Connection, answer ports.Answer, err error) {
		if err == nil && answer.Error == nil || len(connections) == 1 || ctx.Err() != nil {
			reply(first, answer, err)
			return
		}
		answer = ports.Answer{Error: slices.Clone(answer.Error)}
		r.askInTurn(ctx, connections[1:], request, func(connection *Connection, later ports.Answer, laterErr error) {
			if laterErr == nil && later.Error == nil {
				reply(connection, later, nil)
				return
			}
			reply(first, answer, err)
		})
	})
}

// ask asks one server, which is started if it was stopped because nobody used it.
func (r *ResourceReader) ask(
	ctx context.Context, of *Connection, request ports.Message, reply func(*Connection, ports.Answer, error),
) {
	if !of.asleep() && of.idle.enter() {
		of.ask(ctx, request, reply)
		return
	}
	go func() {
		connection, err := r.sessions.use(ctx, of)
		if err != nil {
			reply(of, ports.Answer{}, err)
			return
		}
		connection.ask(ctx, request, reply)
	}()
}

// ask asks the server, which was entered for it.
func (c *Connection) ask(ctx context.Context, request ports.Message, reply func(*Connection, ports.Answer, error)) {
	asked := ports.Request{Message: request, Limit: c.server.Limits.Call}
	c.Session.Request(ctx, asked, func(answer ports.Answer, err error) {
		defer c.idle.leave()
		reply(c, answer, err)
	})
}

// connections returns the connections to servers that have resources, in the order
// of the configuration: those that live, and those that were stopped because nobody
// used them.
func (r *ResourceReader) connections() []*Connection {
	var connections []*Connection
	for _, toolbox := range r.catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			connection, live := r.sessions.Known(server.ID)
			if (live || connection != nil && connection.asleep()) && connection.Session.Declares("resources") {
				connections = append(connections, connection)
			}
		}
	}
	return connections
}
