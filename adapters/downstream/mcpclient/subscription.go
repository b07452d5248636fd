package mcpclient

import (
	"context"
	"encoding/json"
	"time"

	"mcp-workbench/domain"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

const (
	// minListenPause is the pause before a subscription whose connection was cut begins
	// again; each further cut doubles it, up to maxListenPause.
	minListenPause = time.Second
	maxListenPause = time.Minute
)

// listenForChanges subscribes to the changes that a server of 2026-07-28 reports
// only on request: its notifications then come as those of older servers do. The
// subscription lasts as long as the link, and begins again when only its own
// connection is cut.
func (s *Session) listenForChanges() {
	filter := mcp.SubscriptionFilter{
		ToolsListChanged:     jsonscan.HasMember(s.handshake.capabilities, "tools", "listChanged"),
		ResourcesListChanged: jsonscan.HasMember(s.handshake.capabilities, "resources", "listChanged"),
	}
	if !s.handshake.modern() || filter.IsEmpty() {
		return
	}
	s.startListening(jsonscan.With(json.RawMessage("{}"), "notifications", mustMarshal(filter)), minListenPause)
}

// startListening sends the subscription, and again after a pause when it was cut.
func (s *Session) startListening(params json.RawMessage, pause time.Duration) {
	begun := time.Now()
	request := Request{Method: domain.MethodSubscriptionsListen, Params: s.withMeta(params)}
	s.link.Request(context.Background(), request, func(_ Answer, err error) {
		if err == nil || s.isLost() {
			return // the server does not want it, or there is nobody to ask
		}
		s.afterPause(begun, pause, func(next time.Duration) {
			s.startListening(params, next)
			// Nobody was told what changed meanwhile.
			s.messages.notify(ports.Message{Method: domain.MethodNotificationToolsListChanged})
		})
	})
}

// afterPause calls again after the pause, unless the link is lost by then, with the
// pause for the next time. A subscription that lasted for long, since begun, starts
// with the shortest pause.
func (s *Session) afterPause(begun time.Time, pause time.Duration, again func(next time.Duration)) {
	if time.Since(begun) > maxListenPause {
		pause = minListenPause
	}
	time.AfterFunc(pause, func() {
		if !s.isLost() {
			again(min(2*pause, maxListenPause))
		}
	})
}

func (s *Session) isLost() bool {
	select {
	case <-s.link.Done():
		return true
	default:
		return false
	}
}

// withoutSubscription returns the parameters of a notification without the
// subscription that it belongs to, which only server and workbench know.
func withoutSubscription(params json.RawMessage) json.RawMessage {
	const key = mcp.MetaKeySubscriptionID
	meta := jsonscan.Member(params, "_meta")
	if !jsonscan.HasMember(meta, key) {
		return params
	}
	if rest := jsonscan.Without(meta, key); string(rest) != "{}" {
		return jsonscan.With(params, "_meta", rest)
	}
	return jsonscan.Without(params, "_meta")
}
