package host

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Subscription is a request of a host of 2026-07-28 to listen. It is answered when no more
// messages will come.
type Subscription struct {
	connection Connection
	meta       json.RawMessage // in every message of the subscription
	filter     mcp.SubscriptionFilter
	reply      func(ports.Answer) bool
	// ended reports whether the host cancelled the subscription. It is removed a little later.
	ended func() bool
}

// NewSubscription returns a subscription for the request with that context, to be answered by
// reply. Its messages leave through the connection, with meta as their raw _meta.
func NewSubscription(
	ctx context.Context, c Connection, meta json.RawMessage, filter mcp.SubscriptionFilter, reply func(ports.Answer) bool,
) *Subscription {
	return &Subscription{connection: c, meta: meta, filter: filter, reply: reply, ended: func() bool { return ctx.Err() != nil }}
}

// End answers the subscription.
func (s *Subscription) End() {
	s.reply(ports.Answer{Result: rawjson.Object{}.Raw("_meta", s.meta).JSON()})
}

// wants reports whether the subscription is for the notification.
func (s *Subscription) wants(notification ports.Message) bool {
	if s.ended() {
		return false
	}
	switch notification.Method {
	case mcp.MethodNotificationResourcesListChanged:
		return s.filter.ResourcesListChanged
	case mcp.MethodNotificationToolsListChanged:
		return s.filter.ToolsListChanged
	case mcp.MethodNotificationPromptsListChanged:
		return s.filter.PromptsListChanged
	case mcp.MethodNotificationResourceUpdated:
		uri := rawjson.Text(rawjson.Member(notification.Params, "uri"))
		return slices.ContainsFunc(s.filter.ResourceSubscriptions, func(subscribed string) bool { return domain.ResourceContains(subscribed, uri) })
	}
	return false
}

// Subscribe adds a subscription.
func (h *Host) Subscribe(s *Subscription) { h.subscriptions.add(s) }

// Unsubscribe removes a subscription. It returns false if EndSubscriptions has removed it
// already.
func (h *Host) Unsubscribe(s *Subscription) bool { return h.subscriptions.remove(s) }

// EndSubscriptions removes all subscriptions and answers them.
func (h *Host) EndSubscriptions() {
	for _, s := range h.subscriptions.values() {
		if h.subscriptions.remove(s) {
			s.End()
		}
	}
}

// publish passes a notification on to the subscriptions that want it.
func (h *Host) publish(notification ports.Message) {
	for _, s := range h.subscriptions.values() {
		if s.wants(notification) {
			params := rawjson.With(bytes.Clone(notification.Params), "_meta", s.meta)
			s.connection.Write(jsonrpc.Notification(mcp.MCPMethod(notification.Method), params))
		}
	}
}
