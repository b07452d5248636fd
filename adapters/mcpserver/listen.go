package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

// listen answers subscriptions/listen of 2026-07-28. There is nothing here yet
// that a host could subscribe to, so the subscription is acknowledged as empty
// and ends. mcp-go checks the request; the frames are made here, since every one
// of them names the host's own id.
func (s *Server) listen(ctx context.Context, e *exchange, handed json.RawMessage) []jsonrpc.Frame {
	session := &listenSession{notifications: make(chan mcp.JSONRPCNotification, 1)}
	response := s.mcp.HandleMessage(s.mcp.WithContext(withExchange(ctx, e), session), handed)
	if _, accepted := response.(mcp.JSONRPCResponse); !accepted {
		return []jsonrpc.Frame{frameOf(e.id, response)}
	}
	meta := `"_meta":{"` + mcp.MetaKeySubscriptionID + `":` + string(e.id) + `}`
	acknowledged := json.RawMessage(`{` + meta + `,"notifications":{}}`)
	result := json.RawMessage(`{` + completeMember + `,` + meta + `}`)
	return []jsonrpc.Frame{
		jsonrpc.Notification(mcp.MethodNotificationSubscriptionsAcknowledged, acknowledged),
		jsonrpc.Result(e.id, result),
	}
}

// listenSession is what mcp-go needs to accept a subscription.
type listenSession struct {
	notifications chan mcp.JSONRPCNotification
}

func (*listenSession) Initialize()       {}
func (*listenSession) Initialized() bool { return true }
func (*listenSession) SessionID() string { return "listen" }

func (l *listenSession) NotificationChannel() chan<- mcp.JSONRPCNotification {
	return l.notifications
}
