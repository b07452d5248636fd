package mcpclient

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// listenBackoff are the pauses before a cut subscription is renewed.
var listenBackoff = domain.Backoff{First: time.Second, Max: time.Minute}

// listenForChanges subscribes to the changes that a server of 2026-07-28 reports only on request. Its
// notifications then arrive like those of older servers. The subscription lasts as long as the link,
// and is renewed when only its own connection is cut.
func (s *Session) listenForChanges() {
	filter := mcp.SubscriptionFilter{
		ToolsListChanged:     s.Declares("tools", "listChanged"),
		PromptsListChanged:   s.Declares("prompts", "listChanged"),
		ResourcesListChanged: s.Declares("resources", "listChanged"),
	}
	if !s.handshake.modern() || filter.IsEmpty() {
		return
	}
	s.startListening(rawjson.With(json.RawMessage("{}"), "notifications", rawjson.MustMarshal(filter)), 0)
}

// startListening sends the subscription. If that is cut, it sends it again after a pause. Cuts is the
// number of cuts in a row.
func (s *Session) startListening(params json.RawMessage, cuts int) {
	begun := time.Now()
	request := Request{Method: mcp.MethodSubscriptionsListen, Params: s.withMeta(params, "", 0)}
	s.link.Request(context.Background(), request, func(_ Answer, err error) {
		if err == nil || s.link.Err() != nil {
			return // the server does not want it, or is gone
		}
		s.resumeAfterPause(begun, cuts, func(cuts int) {
			s.startListening(params, cuts)
			// Changes meanwhile were not reported.
			s.messages.notify(mcp.MethodNotificationToolsListChanged, nil)
			if rawjson.HasMember(params, "notifications", "promptsListChanged") {
				s.messages.notify(mcp.MethodNotificationPromptsListChanged, nil)
			}
			if rawjson.HasMember(params, "notifications", "resourcesListChanged") {
				s.messages.notify(mcp.MethodNotificationResourcesListChanged, nil)
			}
		})
	})
}

// resumeAfterPause calls resume after a pause, unless the link has failed by then. It passes the number
// of cuts in a row, which starts at 1 again after a subscription that lasted longer than the longest
// pause.
func (s *Session) resumeAfterPause(begun time.Time, cuts int, resume func(cuts int)) {
	if time.Since(begun) > listenBackoff.Max {
		cuts = 0
	}
	cuts++
	time.AfterFunc(listenBackoff.Pause(cuts), func() {
		if s.link.Err() == nil {
			resume(cuts)
		}
	})
}

// withoutSubscription returns the parameters of a notification without its subscription, which the host
// does not know.
func withoutSubscription(params json.RawMessage) json.RawMessage {
	const key = mcp.MetaKeySubscriptionID
	meta := rawjson.Member(params, "_meta")
	if !rawjson.HasMember(meta, key) {
		return params
	}
	if rest := rawjson.Without(meta, key); string(rest) != "{}" {
		return rawjson.With(params, "_meta", rest)
	}
	return rawjson.Without(params, "_meta")
}
