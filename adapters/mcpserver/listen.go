package mcpserver

import (
	"context"
	"encoding/json"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// listen answers subscriptions/listen: it acknowledges what the workbench can report
// and answers when nothing more will come.
func (s *Server) listen(ctx context.Context, r *request, p params, reply replyFunc) {
	var wanted protocol.SubscriptionFilter
	// A filter of another shape asks for nothing that there is.
	_ = json.Unmarshal(p.member("notifications"), &wanted)
	granted := host.Filter{
		ToolList:     wanted.ToolsListChanged,
		PromptList:   wanted.PromptsListChanged,
		ResourceList: wanted.ResourcesListChanged,
		Resources:    wanted.ResourceSubscriptions,
	}
	meta := rawjson.Object{}.Raw(protocol.MetaSubscriptionID, r.id).JSON()
	r.connection().Write(jsonrpc.Notification(domain.MethodNotificationSubscriptionsAcknowledged, acknowledgement(granted, meta)))
	subscription := host.NewSubscription(ctx, r.connection(), meta, granted, func(answer ports.Answer) { reply(answer) })
	if granted.IsEmpty() {
		subscription.End()
		return
	}
	s.host.Subscribe(subscription)
	// A request about a resource is for all subscriptions to it, so it may outlive this
	// one.
	work := r.conversation.work
	for _, uri := range granted.Resources {
		s.subscriptions.Add(work, uri)
	}
	context.AfterFunc(ctx, func() {
		if !s.host.Unsubscribe(subscription) {
			return // the conversation ends, and the sessions with servers end with it
		}
		for _, uri := range granted.Resources {
			s.subscriptions.Remove(work, uri)
		}
	})
}

// acknowledgement returns the parameters that acknowledge what was granted.
func acknowledgement(granted host.Filter, meta json.RawMessage) json.RawMessage {
	var filter rawjson.Object
	if granted.ToolList {
		filter = filter.Bool("toolsListChanged", true)
	}
	if granted.PromptList {
		filter = filter.Bool("promptsListChanged", true)
	}
	if granted.ResourceList {
		filter = filter.Bool("resourcesListChanged", true)
	}
	if len(granted.Resources) > 0 {
		filter = filter.Texts("resourceSubscriptions", granted.Resources)
	}
	return rawjson.Object{}.Raw("_meta", meta).Raw("notifications", filter.JSON()).JSON()
}
