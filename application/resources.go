package application

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
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

// RequestResource implements ports.ResourceReader.
func (r *ResourceReader) RequestResource(
	ctx context.Context, uri string, request ports.ResourceRequest, to domain.ServerID, reply ports.ServerReply,
) {
	request.Params = slices.Clone(request.Params)
	if needed := r.unstartedServers(uri, request.Purpose, to); len(needed) > 0 {
		go func() {
			if err := startAtUse(ctx, r.sessions, needed); err != nil && (to != domain.ServerID{} || len(r.connections()) == 0) {
				reply(to, ports.Answer{}, err)
				return
			}
			r.request(ctx, uri, request, to, reply)
		}()
		return
	}
	r.request(ctx, uri, request, to, reply)
}

// unstartedServers returns the servers to start for a request about a resource: its server, or if that is not known all that
// have resources and start at their first use.
func (r *ResourceReader) unstartedServers(uri string, purpose ports.ResourcePurpose, to domain.ServerID) []domain.Server {
	if purpose == ports.UnsubscribeResource {
		return nil
	}
	needed := r.sessions.UnstartedWithResources()
	if (to != domain.ServerID{}) {
		return slices.DeleteFunc(needed, func(server domain.Server) bool { return server.ID != to })
	}
	if len(needed) > 0 {
		running := r.connections()
		for _, claims := range []func(domain.ServerID) bool{r.owners.listing(uri), r.owners.fitting(uri), r.owners.pointing(uri)} {
			if len(ofServers(running, claims)) > 0 {
				return nil
			}
		}
	}
	return needed
}

// request is RequestResource once all servers that it needs were started.
func (r *ResourceReader) request(
	ctx context.Context, uri string, request ports.ResourceRequest, to domain.ServerID, reply ports.ServerReply,
) {
	connections := r.connectionsFor(request.Purpose == ports.ReadSkill)
	if request.Purpose == ports.SubscribeResource {
		if !r.ownership.BeginSubscribing(uri, func() { r.giveUp(uri) }) {
			reply(domain.ServerID{}, ports.Answer{}, domain.ErrTooManySubscriptions)
			return
		}
		answered := reply
		reply = func(server domain.ServerID, answer ports.Answer, err error) {
			r.ownership.EndSubscribing(uri)
			answered(server, answer, err)
		}
	}
	if subscribed, known := r.ownership.Subscribed(uri); known && request.Purpose == ports.UnsubscribeResource {
		to = subscribed // even if another server's result pointed at the resource since
		if len(ofServers(connections, isServer(to))) == 0 {
			// The server is down, so it is enough not to subscribe again when it is up.
			r.ownership.Unsubscribe(uri)
			reply(to, ports.Answer{Result: json.RawMessage("{}")}, nil)
			return
		}
	}
	if (to != domain.ServerID{}) {
		r.requestOf(ctx, ofServers(connections, isServer(to)), uri, request, reply)
		return
	}
	if unlisted := r.unlistedConnections(uri, connections); len(unlisted) > 0 {
		go func() {
			r.listAll(ctx, unlisted)
			r.requestOf(ctx, r.candidates(uri, connections), uri, request, reply)
		}()
		return
	}
	r.requestOf(ctx, r.candidates(uri, connections), uri, request, reply)
}

// requestOf sends a request about a resource to one connection after the other until one has a
// result.
func (r *ResourceReader) requestOf(
	ctx context.Context, connections []*sessions.Connection, uri string, request ports.ResourceRequest, reply ports.ServerReply,
) {
	if len(connections) == 0 {
		reply(domain.ServerID{}, ports.Answer{}, domain.ErrResourceNotFound)
		return
	}
	r.askInTurn(ctx, connections, request, func(connection *sessions.Connection, answer ports.Answer, err error) {
		if err == nil && answer.Error == nil {
			r.owners.answered(connection.Server.ID, uri)
			r.recordSubscription(connection, request.Purpose, uri)
		}
		reply(connection.Server.ID, answer, err)
	})
}

// candidates returns the connections to ask about a resource, in turn. They are those to servers
// that list it, otherwise those to servers with a matching template. If a result of one of these
// servers pointed at the resource last, only that server is asked; otherwise the server that
// answered for the resource is asked first. If no server lists it or has a matching template, the
// server whose result pointed at it is asked, otherwise the one that answered for it, otherwise
// all. A server can point at anything, so pointing alone takes no resource away from a server
// that lists it, and a list takes none away from a toolbox that answered for it and still lists
// it.
func (r *ResourceReader) candidates(uri string, connections []*sessions.Connection) []*sessions.Connection {
	pointing, answering := r.owners.pointing(uri), r.owners.answering(uri)
	for _, claims := range []func(domain.ServerID) bool{r.owners.listing(uri), r.owners.fitting(uri)} {
		known := ofServers(connections, claims)
		if own := inToolboxOf(known, ofServers(connections, answering)); len(own) > 0 {
			known = own
		}
		if pointed := ofServers(known, pointing); len(pointed) > 0 {
			return pointed
		}
		if len(known) > 0 {
			others := ofServers(known, func(id domain.ServerID) bool { return !answering(id) })
			return slices.Concat(ofServers(known, answering), others)
		}
	}
	for _, isFitting := range []func(domain.ServerID) bool{pointing, answering} {
		if known := ofServers(connections, isFitting); len(known) > 0 {
			return known
		}
	}
	return connections
}

// inToolboxOf returns the connections to servers in a toolbox of the others.
func inToolboxOf(connections, others []*sessions.Connection) []*sessions.Connection {
	return ofServers(connections, func(id domain.ServerID) bool {
		return slices.ContainsFunc(others, func(other *sessions.Connection) bool { return other.Server.ID.Toolbox == id.Toolbox })
	})
}

func isServer(wanted domain.ServerID) func(domain.ServerID) bool {
	return func(id domain.ServerID) bool { return id == wanted }
}

// unlistedConnections returns the connections whose lists must be known before a request about a
// resource that one server merely pointed at, since another server may list it.
func (r *ResourceReader) unlistedConnections(uri string, connections []*sessions.Connection) []*sessions.Connection {
	if len(connections) < 2 || !r.owners.merelyPointed(uri) {
		return nil
	}
	return ofServers(connections, func(id domain.ServerID) bool { return !r.owners.hasLists(id) })
}

// listAll lists the resources of servers, for at most listingTime. A server that fails to list, or
// takes longer, counts as a server without resources until its list is requested again.
func (r *ResourceReader) listAll(ctx context.Context, connections []*sessions.Connection) {
	ctx, cancel := context.WithTimeout(ctx, listingTime)
	defer cancel()
	var asking sync.WaitGroup
	for _, connection := range connections {
		for _, kind := range []domain.ResourceKind{domain.Resources, domain.ResourceTemplates} {
			asking.Go(func() {
				if _, err := r.list(ctx, connection, kind); err != nil {
					r.log.Debug("could not list the resources", "toolbox", connection.Server.ID.Toolbox,
						"server", connection.Server.ID.Server, "error", err)
					r.owners.unlistable(connection.Server.ID, kind)
				}
			})
		}
	}
	asking.Wait()
}

// listingTime is the longest time that a read waits for the lists of servers.
const listingTime = 5 * time.Second

// ofServers returns the connections to servers that match.
func ofServers(connections []*sessions.Connection, matches func(domain.ServerID) bool) []*sessions.Connection {
	return slices.DeleteFunc(slices.Clone(connections), func(connection *sessions.Connection) bool {
		return !matches(connection.Server.ID)
	})
}

// recordSubscription records a subscription or its end. A server with a subscription is
// not idle, and the subscription is made again after a restart.
func (r *ResourceReader) recordSubscription(connection *sessions.Connection, purpose ports.ResourcePurpose, uri string) {
	switch purpose {
	case ports.SubscribeResource:
		r.ownership.Subscribe(uri, connection.Server.ID)
		connection.HoldSubscription(uri)
	case ports.UnsubscribeResource:
		r.ownership.Unsubscribe(uri)
		connection.ReleaseSubscription(uri)
	}
}

// giveUp ends a subscription that has to make room for those of other callers. It does not wait.
func (r *ResourceReader) giveUp(uri string) {
	r.log.Warn("a subscription to a resource was ended, since its caller has most of all, and others need room", "uri", uri)
	end := ports.ResourceRequest{Message: ports.Message{Params: sessions.ResourceParams(uri)}, Purpose: ports.UnsubscribeResource}
	go r.RequestResource(context.Background(), uri, end, domain.ServerID{}, func(domain.ServerID, ports.Answer, error) {
		r.ownership.Unsubscribe(uri) // also if the server does not answer
	})
}

// connectionsFor returns the connections to servers with resources, with skilled only to those that
// also have skills.
func (r *ResourceReader) connectionsFor(skilled bool) []*sessions.Connection {
	return slices.DeleteFunc(r.connections(), func(connection *sessions.Connection) bool {
		return skilled && !connection.Session.Declares("extensions", extensions.Skills)
	})
}

// askInTurn asks one server after the other until one has a result. If none has one,
// the answer is that of the first.
func (r *ResourceReader) askInTurn(
	ctx context.Context, connections []*sessions.Connection, request ports.ResourceRequest, reply func(*sessions.Connection, ports.Answer, error),
) {
	r.ask(ctx, connections[0], request, func(first *sessions.Connection, answer ports.Answer, err error) {
		if err == nil && answer.Error == nil || len(connections) == 1 || ctx.Err() != nil {
			reply(first, answer, err)
			return
		}
		answer = ports.Answer{Error: slices.Clone(answer.Error)}
		r.askInTurn(ctx, connections[1:], request, func(connection *sessions.Connection, later ports.Answer, laterErr error) {
			if laterErr == nil && later.Error == nil {
				reply(connection, later, nil)
				return
			}
			reply(first, answer, err)
		})
	})
}

// ask asks one server, which is started if it was stopped as idle.
func (r *ResourceReader) ask(
	ctx context.Context, last *sessions.Connection, request ports.ResourceRequest, reply func(*sessions.Connection, ports.Answer, error),
) {
	if !last.IsAsleep() && last.Enter() {
		r.send(ctx, last, request, reply)
		return
	}
	go func() {
		connection, err := r.sessions.Acquire(ctx, last)
		if err != nil {
			reply(last, ports.Answer{}, err)
			return
		}
		r.send(ctx, connection, request, reply)
	}()
}

// send makes the request over a connection that was entered for it.
func (r *ResourceReader) send(
	ctx context.Context, connection *sessions.Connection, request ports.ResourceRequest,
	reply func(*sessions.Connection, ports.Answer, error),
) {
	ask := connection.Session.Request
	switch request.Purpose {
	case ports.SubscribeResource:
		ask = connection.Session.Subscribe
	case ports.UnsubscribeResource:
		ask = connection.Session.Unsubscribe
	}
	limited := ports.Request{Message: request.Message, Limit: connection.Server.Limits.Call}
	ask(ctx, limited, func(answer ports.Answer, err error) {
		defer connection.Leave()
		reply(connection, answer, err)
	})
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
