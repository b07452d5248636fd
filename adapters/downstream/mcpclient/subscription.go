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
	// firstListenPause is how long a subscription rests whose connection was cut; each
	// further cut doubles it, up to the longest.
	firstListenPause   = time.Second
	longestListenPause = time.Minute
)

// listen subscribes to the changes that a server of 2026-07-28 tells only those
// who ask: its notifications then come as those of older servers do. It lasts as
// long as the link, and begins anew when only its own connection is cut.
func (s *Session) listen() {
	filter := mcp.SubscriptionFilter{
		ToolsListChanged:     jsonscan.HasMember(s.greeting.capabilities, "tools", "listChanged"),
		ResourcesListChanged: jsonscan.HasMember(s.greeting.capabilities, "resources", "listChanged"),
	}
	if !s.greeting.modern() || filter.IsEmpty() {
		return
	}
	s.subscribe(jsonscan.With(json.RawMessage("{}"), "notifications", mustMarshal(filter)), firstListenPause)
}

func (s *Session) subscribe(params json.RawMessage, pause time.Duration) {
	begun := time.Now()
	request := Request{Method: domain.MethodSubscriptionsListen, Params: s.withMeta(params)}
	s.link.Request(context.Background(), request, func(_ Answer, err error) {
		if err == nil || s.isLost() {
			return // the server does not want it, or there is nobody to ask
		}
		s.afterPause(begun, pause, func(next time.Duration) {
			s.subscribe(params, next)
			// What changed meanwhile was told to nobody.
			s.messages.notify(ports.Message{Method: domain.MethodNotificationToolsListChanged})
		})
	})
}

// afterPause has a subscription begin again that lasted since begun, with the pause
// that comes before the next time.
func (s *Session) afterPause(begun time.Time, pause time.Duration, again func(next time.Duration)) {
	if time.Since(begun) > longestListenPause {
		pause = firstListenPause
	}
	time.AfterFunc(pause, func() {
		if !s.isLost() {
			again(min(2*pause, longestListenPause))
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
