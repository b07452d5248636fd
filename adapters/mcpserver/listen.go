package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"mcp-workbench/domain"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// listener is a subscription of a host of 2026-07-28: a request that is answered
// when nothing more will come.
type listener struct {
	meta  json.RawMessage // what every message of the subscription carries
	lists bool            // changes of the list of resources
	tools bool            // changes of the list of tools
	uris  []string        // resources whose changes are wanted
	reply func(answer)
	// cancelled says that the host is done with the subscription, from the moment on at
	// which that was read; forgetting it comes a little later.
	cancelled func() bool
}

// wants reports whether the subscription is for the notification.
func (l *listener) wants(notification ports.Message) bool {
	if l.cancelled() {
		return false
	}
	switch notification.Method {
	case domain.MethodNotificationResourcesListChanged:
		return l.lists
	case domain.MethodNotificationToolsListChanged:
		return l.tools
	case domain.MethodNotificationResourceUpdated:
		return slices.Contains(l.uris, jsonscan.Text(jsonscan.Member(notification.Params, "uri")))
	}
	return false
}

// listen answers subscriptions/listen: it acknowledges what there can be, and
// stays open for it. The list of tools changes in dynamic mode only.
func (s *Server) listen(ctx context.Context, e *exchange, p params, reply func(answer)) {
	var wanted mcp.SubscriptionFilter
	// A filter of another shape asks for nothing that there is.
	_ = json.Unmarshal(p.notifications, &wanted)
	granted := mcp.SubscriptionFilter{
		ResourcesListChanged: wanted.ResourcesListChanged, ResourceSubscriptions: wanted.ResourceSubscriptions,
		ToolsListChanged: wanted.ToolsListChanged && s.dynamic != nil,
	}
	meta := json.RawMessage(`{"` + mcp.MetaKeySubscriptionID + `":` + string(e.id) + `}`)
	e.conversation.write(jsonrpc.Notification(domain.MethodNotificationSubscriptionsAcknowledged, acknowledgement(granted, meta)))
	l := &listener{
		meta: meta, lists: granted.ResourcesListChanged, tools: granted.ToolsListChanged,
		uris: granted.ResourceSubscriptions, reply: reply,
		cancelled: func() bool { return ctx.Err() != nil },
	}
	if granted.IsEmpty() {
		reply(l.end())
		return
	}
	s.host.subscribe(l)
	// A request about a resource is for all who want it, so it outlives the first.
	work := e.conversation.work
	for _, uri := range l.uris {
		s.interests.add(work, uri)
	}
	e.ctx.AfterFunc(func() {
		if !s.host.unsubscribe(l) {
			return // the conversation ends, and the servers with it
		}
		for _, uri := range l.uris {
			s.interests.remove(work, uri)
		}
	})
}

// acknowledgement returns the parameters that acknowledge what was granted.
func acknowledgement(granted mcp.SubscriptionFilter, meta json.RawMessage) json.RawMessage {
	var filter jsonscan.Object
	if granted.ToolsListChanged {
		filter = filter.Bool("toolsListChanged", true)
	}
	if granted.ResourcesListChanged {
		filter = filter.Bool("resourcesListChanged", true)
	}
	if len(granted.ResourceSubscriptions) > 0 {
		filter = filter.Texts("resourceSubscriptions", granted.ResourceSubscriptions)
	}
	return jsonscan.Object{}.Raw("_meta", meta).Raw("notifications", filter.JSON()).JSON()
}

// end is the answer with which the subscription ends.
func (l *listener) end() answer {
	return answer{result: jsonscan.With(json.RawMessage("{}"), "_meta", l.meta)}
}

func (h *Host) subscribe(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners = append(h.listeners, l)
}

// unsubscribe ends a subscription, and reports whether it was one until now.
func (h *Host) unsubscribe(l *listener) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.Index(h.listeners, l)
	if i >= 0 {
		h.listeners = slices.Delete(h.listeners, i, i+1)
	}
	return i >= 0
}

// endSubscriptions answers every subscription, since nothing more will come.
func (h *Host) endSubscriptions() {
	h.mu.Lock()
	ended := h.listeners
	h.listeners = nil
	h.mu.Unlock()
	for _, l := range ended {
		l.reply(l.end())
	}
}

// publish passes a notification on to the subscriptions that it is for.
func (h *Host) publish(c *conversation, notification ports.Message) {
	h.mu.Lock()
	listeners := slices.Clone(h.listeners)
	h.mu.Unlock()
	for _, l := range listeners {
		if l.wants(notification) {
			params := jsonscan.With(bytes.Clone(notification.Params), "_meta", l.meta)
			c.write(jsonrpc.Notification(notification.Method, params))
		}
	}
}
