package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// resubscribe subscribes again to resources of a restarted server, one after the other, and
// tells the host that each may have changed meanwhile. A subscription that fails is tried
// again after the next restart.
func (s *Sessions) resubscribe(connection *Connection, uris []string) {
	if len(uris) == 0 {
		return
	}
	uri, rest := uris[0], uris[1:]
	if !s.isSubscribed(connection, uri) {
		s.resubscribe(connection, rest)
		return
	}
	connection.HoldSubscription(uri)
	connection.requestSubscription(connection.Session.Subscribe, uri, func(answer ports.Answer, err error) {
		if err == nil && answer.Error != nil {
			err = fmt.Errorf("it answered %s", answer.Error)
		}
		if errors.Is(err, domain.ErrServerUnavailable) {
			return // the next session subscribes again
		}
		wanted := s.isSubscribed(connection, uri)
		if err != nil || !wanted {
			connection.ReleaseSubscription(uri)
		}
		switch {
		case !wanted && err == nil: // the host changed its mind meanwhile
			connection.requestSubscription(connection.Session.Unsubscribe, uri, func(ports.Answer, error) {})
		case err != nil:
			s.log.Warn("could not subscribe to a resource again", "toolbox", connection.Server.ID.Toolbox,
				"server", connection.Server.ID.Server, "uri", uri, "error", err)
		}
		if wanted {
			s.host.Notify(connection.Server.ID, ports.Notification{Kind: ports.ResourceUpdated, Params: ResourceParams(uri)})
		}
		s.resubscribe(connection, rest)
	})
}

func (s *Sessions) isSubscribed(connection *Connection, uri string) bool {
	id, ok := s.ownership.Subscribed(uri)
	return ok && id == connection.Server.ID
}

// requestSubscription subscribes to a resource or unsubscribes from it, on behalf of the workbench.
func (c *Connection) requestSubscription(ask func(context.Context, ports.Request, ports.Reply), uri string, reply ports.Reply) {
	ask(context.Background(), ports.Request{Message: ports.Message{Params: ResourceParams(uri)}, Limit: c.Server.Limits.Call}, reply)
}

// ResourceParams returns the parameters of a request about one resource.
func ResourceParams(uri string) json.RawMessage { return rawjson.Object{}.Text("uri", uri).JSON() }
