package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// notifications answers requests of a host that say what it wants to be told.
type notifications struct {
	*session
	announcer     ports.Announcer
	subscriptions *host.ResourceSubscriptions
}

// setLevel answers logging/setLevel.
func (n *notifications) setLevel(_ *request, p params) ports.Answer {
	level := rawjson.Text(p.member("level"))
	if !domain.IsLogLevel(level) {
		return failure(mcp.INVALID_PARAMS, "level must be one of debug, info, notice, warning, error, critical, alert and emergency")
	}
	n.host.SetLogLevel(level)
	n.announcer.SetLogLevel(level)
	return ports.Answer{Result: json.RawMessage("{}")}
}

// grantedOf returns what the workbench can report of what a filter asks for. A filter of another shape asks for nothing
// that exists. Resources beyond what a host can subscribe to are left out.
func (n *notifications) grantedOf(filter json.RawMessage) mcp.SubscriptionFilter {
	asksFor := func(member string) bool { return string(rawjson.Member(filter, member)) == "true" }
	granted := mcp.SubscriptionFilter{
		ToolsListChanged: asksFor("toolsListChanged"), PromptsListChanged: asksFor("promptsListChanged"),
		ResourcesListChanged: asksFor("resourcesListChanged"),
	}
	_ = rawjson.NewScanner().EachElement(rawjson.Member(filter, "resourceSubscriptions"), func(value []byte) error {
		uri := rawjson.Text(value)
		if rawjson.Kind(value) == '"' && len(uri) <= maxSubscribedURI && n.subscriptions.Reserve(uri) {
			granted.ResourceSubscriptions = append(granted.ResourceSubscriptions, uri)
		}
		return nil
	})
	return granted
}

// listen answers subscriptions/listen: it acknowledges what the workbench can report, and answers
// when no more notifications will come.
func (n *notifications) listen(ctx context.Context, r *request, p params, reply replyFunc) {
	granted := n.grantedOf(p.member("notifications"))
	filter, _ := json.Marshal(granted) // of flags and texts, which cannot fail
	meta := rawjson.Object{}.Raw(mcp.MetaKeySubscriptionID, r.id).JSON()
	r.connection().Write(jsonrpc.Notification(mcp.MethodNotificationSubscriptionsAcknowledged,
		rawjson.Object{}.Raw("_meta", meta).Raw("notifications", filter).JSON()))
	subscription := host.NewSubscription(ctx, r.connection(), meta, granted, reply)
	if granted.IsEmpty() {
		subscription.End()
		return
	}
	n.host.Subscribe(subscription)
	// A request about a resource is for all subscriptions to it, so it can outlive this one.
	work := r.conversation.work
	for _, uri := range granted.ResourceSubscriptions {
		n.subscriptions.Add(work, uri)
	}
	context.AfterFunc(ctx, func() {
		if !n.host.Unsubscribe(subscription) {
			return // the conversation ends, and the sessions with servers end with it
		}
		for _, uri := range granted.ResourceSubscriptions {
			n.subscriptions.Remove(work, uri)
		}
	})
}
