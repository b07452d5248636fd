package application

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
	"mcp-workbench/ports"
)

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
