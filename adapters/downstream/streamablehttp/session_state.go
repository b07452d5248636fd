package streamablehttp

import (
	"bytes"
	"encoding/json"
	"sync"

	"mcp-workbench/domain"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain/rawjson"
)

// sessionState is the current session of a link, and the requests that begin a new one
// when the server forgets it. Safe for concurrent use.
type sessionState struct {
	endpoint     *web.Endpoint
	preHandshake *session // before any handshake
	stateless    *session // of 2026-07-28, where nothing is agreed on

	mu               sync.Mutex
	current          *session
	initializeParams json.RawMessage
	listingParams    json.RawMessage              // of the first page of the last list of tools
	replay           map[string]mcpclient.Request // requests that shape the session
	renewal          *renewal                     // under way, nil if none is
}

// renewal replaces a session that the server forgot. All calls that find it
// forgotten share one.
type renewal struct {
	done chan struct{} // closed when err is set
	err  error
}

func newSessionState(endpoint *web.Endpoint) *sessionState {
	state := &sessionState{
		endpoint: endpoint, preHandshake: newSession(endpoint, "", ""),
		stateless: newSession(endpoint, "", protocol.LatestVersion), replay: map[string]mcpclient.Request{},
	}
	state.current = state.preHandshake
	return state
}

// now returns the session that messages are sent in.
func (s *sessionState) now() *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// forMethod returns the session that a request is made in: a handshake is in none.
func (s *sessionState) forMethod(method string) *session {
	switch method {
	case domain.MethodInitialize:
		return s.preHandshake
	case domain.MethodServerDiscover:
		return s.stateless
	}
	return s.now()
}

// begin notes the id that the answer to the first initialize gave the session, ""
// for none. Later ones are for a renewal, which replaces the session itself.
func (s *sessionState) begin(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == s.preHandshake {
		s.current = newSession(s.endpoint, id, "")
	}
}

// agree notes the version of every later message.
func (s *sessionState) agree(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = newSession(s.endpoint, s.current.id, version)
}

// remember notes a request that a new session has to begin with, or that is made again.
func (s *sessionState) remember(request mcpclient.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch request.Method {
	case domain.MethodInitialize:
		s.initializeParams = bytes.Clone(request.Params)
	case domain.MethodToolsList:
		if !rawjson.HasMember(request.Params, "cursor") {
			s.listingParams = bytes.Clone(request.Params)
		}
	case domain.MethodSetLogLevel:
		s.replay[request.Method] = repeatable(request)
	case domain.MethodResourcesSubscribe:
		s.replay[replayKey(request)] = repeatable(request)
	case domain.MethodResourcesUnsubscribe:
		delete(s.replay, replayKey(request))
	}
}

// replayKey is the key of a subscription to a resource.
func replayKey(request mcpclient.Request) string {
	return "uri " + rawjson.Text(rawjson.Member(request.Params, "uri"))
}

// repeatable returns a request that can be sent again, with bytes of its own.
func repeatable(request mcpclient.Request) mcpclient.Request {
	return mcpclient.Request{Method: request.Method, Params: bytes.Clone(request.Params)}
}

// initialize returns the request that begins a session, as it was sent first.
func (s *sessionState) initialize() mcpclient.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mcpclient.Request{Method: domain.MethodInitialize, Params: bytes.Clone(s.initializeParams)}
}

// listing returns the parameters of the first page of the last list of tools.
func (s *sessionState) listing() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return bytes.Clone(s.listingParams)
}

// toReplay returns the requests that shape the session, in no order.
func (s *sessionState) toReplay() []mcpclient.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var requests []mcpclient.Request
	for _, request := range s.replay {
		requests = append(requests, repeatable(request))
	}
	return requests
}

// joinRenewal returns the renewal of a session that the server forgot, nil if the
// session was replaced already. The caller that gets first carries it out.
func (s *sessionState) joinRenewal(forgotten *session) (current *renewal, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.renewal != nil:
		return s.renewal, false
	case s.current != forgotten:
		return nil, false
	}
	s.renewal = &renewal{done: make(chan struct{})}
	return s.renewal, true
}

// endRenewal ends the renewal under way: with the session that replaces the
// forgotten one, or with the error that says why there is none.
func (s *sessionState) endRenewal(renewed *session, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.current = renewed
	}
	s.renewal.err = err
	close(s.renewal.done)
	s.renewal = nil
}
