package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain/rawjson"
)

// listen answers subscriptions/listen: it acknowledges what the workbench can report, and answers
// when no more notifications will come.
func (s *Server) listen(ctx context.Context, r *request, p params, reply replyFunc) {
	var granted mcp.SubscriptionFilter
	// A filter of another shape asks for nothing that exists.
	_ = json.Unmarshal(p.member("notifications"), &granted)
	filter, _ := json.Marshal(granted) // of flags and texts, which cannot fail
	meta := rawjson.Object{}.Raw(mcp.MetaKeySubscriptionID, r.id).JSON()
	r.connection().Write(jsonrpc.Notification(mcp.MethodNotificationSubscriptionsAcknowledged,
		rawjson.Object{}.Raw("_meta", meta).Raw("notifications", filter).JSON()))
	subscription := host.NewSubscription(ctx, r.connection(), meta, granted, reply)
	if granted.IsEmpty() {
		subscription.End()
		return
	}
	s.host.Subscribe(subscription)
	// A request about a resource is for all subscriptions to it, so it can outlive this one.
	work := r.conversation.work
	for _, uri := range granted.ResourceSubscriptions {
		s.subscriptions.Add(work, uri)
	}
	context.AfterFunc(ctx, func() {
		if !s.host.Unsubscribe(subscription) {
			return // the conversation ends, and the sessions with servers end with it
		}
		for _, uri := range granted.ResourceSubscriptions {
			s.subscriptions.Remove(work, uri)
		}
	})
}
