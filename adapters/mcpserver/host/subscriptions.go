package host

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Filter is what a subscription is for.
type Filter struct {
	ToolList     bool     // changes of tools/list
	PromptList   bool     // changes of prompts/list
	ResourceList bool     // changes of resources/list
	Resources    []string // updates of the resources of these URIs
}

// IsEmpty reports whether the filter is for nothing.
func (f Filter) IsEmpty() bool {
	return !f.ToolList && !f.PromptList && !f.ResourceList && len(f.Resources) == 0
}

// Subscription is a request of a host of 2026-07-28 to listen. It is answered when
// nothing more will come.
type Subscription struct {
	connection Connection
	meta       json.RawMessage // what every message of the subscription carries
	filter     Filter
	reply      func(ports.Answer)
	// ended reports whether the host cancelled the subscription. Removing it comes a
	// little later.
	ended func() bool
}

// NewSubscription returns a subscription for the request with that context, to be
// answered by reply. Its messages leave through the connection. Meta is their raw _meta.
func NewSubscription(
	ctx context.Context, c Connection, meta json.RawMessage, filter Filter, reply func(ports.Answer),
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
	case domain.MethodNotificationResourcesListChanged:
		return s.filter.ResourceList
	case domain.MethodNotificationToolsListChanged:
		return s.filter.ToolList
	case domain.MethodNotificationPromptsListChanged:
		return s.filter.PromptList
	case domain.MethodNotificationResourceUpdated:
		return slices.Contains(s.filter.Resources, rawjson.Text(rawjson.Member(notification.Params, "uri")))
	}
	return false
}

// subscriptions are the ones of a host. Safe for concurrent use.
type subscriptions struct {
	mu   sync.Mutex
	open []*Subscription
}

// Subscribe adds a subscription.
func (h *Host) Subscribe(s *Subscription) { h.subscriptions.add(s) }

// Unsubscribe removes a subscription. It returns false if EndSubscriptions did.
func (h *Host) Unsubscribe(s *Subscription) bool { return h.subscriptions.remove(s) }

// EndSubscriptions removes all subscriptions and answers them.
func (h *Host) EndSubscriptions() {
	for _, s := range h.subscriptions.removeAll() {
		s.End()
	}
}

func (l *subscriptions) add(s *Subscription) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = append(l.open, s)
}

func (l *subscriptions) remove(s *Subscription) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.open, s)
	if i >= 0 {
		l.open = slices.Delete(l.open, i, i+1)
	}
	return i >= 0
}

func (l *subscriptions) removeAll() []*Subscription {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.open
	l.open = nil
	return all
}

// publish passes a notification on to the subscriptions that it is for.
func (l *subscriptions) publish(notification ports.Message) {
	l.mu.Lock()
	open := slices.Clone(l.open)
	l.mu.Unlock()
	for _, s := range open {
		if s.wants(notification) {
			params := rawjson.With(bytes.Clone(notification.Params), "_meta", s.meta)
			s.connection.Write(jsonrpc.Notification(notification.Method, params))
		}
	}
}
