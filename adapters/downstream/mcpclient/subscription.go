package mcpclient

import (
	"context"
	"encoding/json"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// listenBackoff is for a subscription whose connection was cut, which begins again
// after a pause.
var listenBackoff = domain.Backoff{First: time.Second, Max: time.Minute}

// listenForChanges subscribes to the changes that a server of 2026-07-28 reports
// only on request: its notifications then come as those of older servers do. The
// subscription lasts as long as the link, and begins again when only its own
// connection is cut.
func (s *Session) listenForChanges() {
	filter := protocol.SubscriptionFilter{
		ToolsListChanged:     rawjson.HasMember(s.handshake.capabilities, "tools", "listChanged"),
		PromptsListChanged:   rawjson.HasMember(s.handshake.capabilities, "prompts", "listChanged"),
		ResourcesListChanged: rawjson.HasMember(s.handshake.capabilities, "resources", "listChanged"),
	}
	if !s.handshake.modern() || filter.IsEmpty() {
		return
	}
	s.startListening(rawjson.With(json.RawMessage("{}"), "notifications", mustMarshal(filter)), 0)
}

// startListening sends the subscription, and again after a pause when it was cut. It
// was cut this often in a row before.
func (s *Session) startListening(params json.RawMessage, cuts int) {
	begun := time.Now()
	request := Request{Method: domain.MethodSubscriptionsListen, Params: s.withMeta(params)}
	s.link.Request(context.Background(), request, func(_ Answer, err error) {
		if err == nil || s.isLost() {
			return // the server does not want it, or there is nobody to ask
		}
		s.resumeAfterPause(begun, cuts, func(cuts int) {
			s.startListening(params, cuts)
			// What changed meanwhile was not reported.
			s.messages.notify(ports.Message{Method: domain.MethodNotificationToolsListChanged})
			if rawjson.HasMember(params, "notifications", "promptsListChanged") {
				s.messages.notify(ports.Message{Method: domain.MethodNotificationPromptsListChanged})
			}
		})
	})
}

// resumeAfterPause calls resume after a pause, unless the link is lost by then, with
// the number of cuts in a row: this one, and those before it unless the subscription
// lasted for long since it began.
func (s *Session) resumeAfterPause(begun time.Time, cuts int, resume func(cuts int)) {
	if time.Since(begun) > listenBackoff.Max {
		cuts = 0
	}
	cuts++
	time.AfterFunc(listenBackoff.Pause(cuts), func() {
		if !s.isLost() {
			resume(cuts)
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
	const key = protocol.MetaSubscriptionID
	meta := rawjson.Member(params, "_meta")
	if !rawjson.HasMember(meta, key) {
		return params
	}
	if rest := rawjson.Without(meta, key); string(rest) != "{}" {
		return rawjson.With(params, "_meta", rest)
	}
	return rawjson.Without(params, "_meta")
}
