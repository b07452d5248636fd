package streamablehttp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// sessionState is the current session of a link, and the requests that start a new one when the
// server forgets it. Safe for concurrent use.
type sessionState struct {
	endpoint     *web.Endpoint
	preHandshake *session // before any handshake
	stateless    *session // of 2026-07-28

	mu               sync.Mutex
	current          *session
	initializeParams json.RawMessage
	listingParams    json.RawMessage              // of the first page of the last list of tools
	replay           map[string]mcpclient.Request // requests that shape the session
	renewal          *renewal                     // in progress, nil for none
	renewals         int                          // in a row, without a pause of renewalReset between them
	renewed          time.Time                    // when the last one ended
}

// renewalBackoff is the pause between renewals, the same as between restarts of a server. It
// starts again from First after renewalReset without a renewal.
var renewalBackoff = domain.Backoff{First: time.Second, Max: 30 * time.Second}

const renewalReset = time.Minute

// mayRenew reports whether the pause after the last renewal is over.
func (s *sessionState) mayRenew() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mayRenewLocked()
}

func (s *sessionState) mayRenewLocked() bool {
	return s.renewals == 0 || time.Since(s.renewed) >= renewalBackoff.Pause(s.renewals)
}

// renewal is the replacement of a session that the server forgot. All calls in that session share it.
type renewal struct {
	done chan struct{} // closed when err is set
	err  error
}

func newSessionState(endpoint *web.Endpoint) *sessionState {
	state := &sessionState{
		endpoint: endpoint, preHandshake: newSession(endpoint, "", ""),
		stateless: newSession(endpoint, "", mcp.LATEST_PROTOCOL_VERSION), replay: map[string]mcpclient.Request{},
	}
	state.current = state.preHandshake
	return state
}

// now returns the session for messages.
func (s *sessionState) now() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// forMethod returns the session for a request. Handshakes belong to none.
func (s *sessionState) forMethod(method mcp.MCPMethod) *session {
	switch method {
	case mcp.MethodInitialize:
		return s.preHandshake
	case mcp.MethodServerDiscover:
		return s.stateless
	}
	return s.now()
}

// begin notes the session id in the answer to the first initialize, "" for none. Later answers are
// for a renewal, which replaces the session itself.
func (s *sessionState) begin(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == s.preHandshake {
		s.current = newSession(s.endpoint, id, "")
	}
}

// agree sets the version of later messages.
func (s *sessionState) agree(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = newSession(s.endpoint, s.current.id, version)
}

// remember notes a request that is repeated in a new session or for a new list.
func (s *sessionState) remember(request mcpclient.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch request.Method {
	case mcp.MethodInitialize:
		s.initializeParams = bytes.Clone(request.Params)
	case mcp.MethodToolsList:
		if !rawjson.HasMember(request.Params, "cursor") {
			s.listingParams = bytes.Clone(request.Params)
		}
	case mcp.MethodSetLogLevel:
		s.replay[string(request.Method)] = repeatable(request)
	case mcp.MethodResourcesSubscribe:
		s.replay[replayKey(request)] = repeatable(request)
	case mcp.MethodResourcesUnsubscribe:
		delete(s.replay, replayKey(request))
	}
}

// replayKey is the key of a subscription to a resource.
func replayKey(request mcpclient.Request) string {
	return "uri " + rawjson.Text(rawjson.Member(request.Params, "uri"))
}

// repeatable returns a copy of a request that can be sent again, with a limit also if it had none: nothing waits for
// its answer.
func repeatable(request mcpclient.Request) mcpclient.Request {
	return mcpclient.Request{Method: request.Method, Params: bytes.Clone(request.Params), Limit: cmp.Or(request.Limit, web.SendTime)}
}

// initialize returns the first initialize request.
func (s *sessionState) initialize() mcpclient.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mcpclient.Request{Method: mcp.MethodInitialize, Params: bytes.Clone(s.initializeParams)}
}

// listing returns the parameters of the first page of the last list of tools.
func (s *sessionState) listing() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.listingParams)
}

// toReplay returns the requests that shape the session, in no particular order.
func (s *sessionState) toReplay() []mcpclient.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var requests []mcpclient.Request
	for _, request := range s.replay {
		requests = append(requests, repeatable(request))
	}
	return requests
}

// joinRenewal returns the renewal of a session that the server forgot, nil if the session was already
// replaced. The caller for which first is true carries it out. The error is errTooSoon.
func (s *sessionState) joinRenewal(forgotten *session) (current *renewal, first bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.renewal != nil:
		return s.renewal, false, nil
	case s.current != forgotten:
		return nil, false, nil
	case !s.mayRenewLocked():
		return nil, false, errTooSoon
	case time.Since(s.renewed) >= renewalReset:
		s.renewals = 0
	}
	s.renewal = &renewal{done: make(chan struct{})}
	s.renewals++
	return s.renewal, true, nil
}

// endRenewal ends the renewal with the new session, or with the error that prevented it.
func (s *sessionState) endRenewal(renewed *session, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.current = renewed
	}
	s.renewal.err, s.renewed = err, time.Now()
	close(s.renewal.done)
	s.renewal = nil
}
