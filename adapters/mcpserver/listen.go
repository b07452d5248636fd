package mcpserver

import (
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// listen answers subscriptions/listen of 2026-07-28. There is nothing here yet
// that a host could subscribe to, so the subscription is acknowledged as empty
// and ends. Every message of it names the request by the host's own id.
func (*Server) listen(e *exchange, _ params) answer {
	meta := `"_meta":{"` + mcp.MetaKeySubscriptionID + `":` + string(e.id) + `}`
	acknowledged := json.RawMessage(`{` + meta + `,"notifications":{}}`)
	return answer{
		before: []jsonrpc.Frame{jsonrpc.Notification(mcp.MethodNotificationSubscriptionsAcknowledged, acknowledged)},
		result: json.RawMessage(`{` + meta + `}`),
	}
}
