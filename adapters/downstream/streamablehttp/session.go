package streamablehttp

import (
	"net/http"
	"net/textproto"

	"mcp-workbench/domain"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain/rawjson"
)

// session is what the link and the server have agreed on so far. It never changes.
type session struct {
	id      string // that the server gave, "" for none
	version string // "" before the handshake
	// posting and listening are the headers of messages and of streams, shared by many
	// requests.
	posting, listening http.Header
}

const (
	jsonType  = "application/json"
	eventType = "text/event-stream"
)

// newSession returns the session of that id and version, "" for none yet.
// Sessions are gone in 2026-07-28.
func newSession(endpoint *web.Endpoint, id, version string) *session {
	s := &session{version: version}
	if !protocol.IsModern(version) {
		s.id = id
	}
	s.listening = endpoint.Header()
	set(s.listening, "Accept", eventType)
	if s.id != "" {
		set(s.listening, protocol.HeaderSessionID, s.id)
	}
	if version != "" {
		set(s.listening, protocol.HeaderProtocolVersion, version)
	}
	s.posting = s.listening.Clone()
	set(s.posting, "Accept", jsonType+", "+eventType)
	set(s.posting, "Content-Type", jsonType)
	return s
}

func set(header http.Header, name, value string) {
	header[textproto.CanonicalMIMEHeaderKey(name)] = []string{value}
}

// modern reports whether the protocol is stateless.
func (s *session) modern() bool { return protocol.IsModern(s.version) }

// header returns the headers of a message. In 2026-07-28 they repeat its
// method and name.
func (s *session) header(method string, params []byte, tools *annotatedTools) http.Header {
	if !s.modern() {
		return s.posting
	}
	header := s.posting.Clone()
	set(header, protocol.HeaderMethod, method)
	member := ""
	switch method {
	case domain.MethodToolsCall, domain.MethodPromptsGet:
		member = "name"
	case domain.MethodResourcesRead:
		member = "uri"
	}
	if member == "" {
		return header
	}
	name := rawjson.Text(rawjson.Member(params, member))
	set(header, protocol.HeaderName, protocol.EncodeHeaderValue(name))
	if method == domain.MethodToolsCall {
		tools.setHeaders(name, params, func(name, value string) { set(header, name, value) })
	}
	return header
}

// listeningAfter returns the headers of a stream that goes on after an event.
func (s *session) listeningAfter(lastID string) http.Header {
	if lastID == "" {
		return s.listening
	}
	header := s.listening.Clone()
	set(header, protocol.HeaderLastEventID, lastID)
	return header
}
