package mcpclient

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// listen subscribes to the changes that a server of 2026-07-28 tells only those
// who ask: its notifications then come as those of older servers do. It lasts as
// long as the link.
func (s *Session) listen() {
	filter := mcp.SubscriptionFilter{
		ToolsListChanged:     jsonrpc.HasMember(s.greeting.capabilities, "tools", "listChanged"),
		ResourcesListChanged: jsonrpc.HasMember(s.greeting.capabilities, "resources", "listChanged"),
	}
	if !s.greeting.modern() || filter.IsEmpty() {
		return
	}
	params := jsonrpc.With(json.RawMessage("{}"), "notifications", mustMarshal(filter))
	request := Request{Method: string(mcp.MethodSubscriptionsListen), Params: s.withMeta(params)}
	s.link.Request(context.Background(), request, func(Answer, error) {})
}
