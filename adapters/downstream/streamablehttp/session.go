package streamablehttp

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/domain/rawjson"
)

// session holds what the link and the server agreed on. It is immutable.
type session struct {
	id      string // from the server, "" for none
	version string // "" before the handshake
	// posting and listening are the headers of messages and of streams, shared by requests.
	posting, listening http.Header
}

const jsonType = "application/json"

// newSession returns a session. Id and version are "" before they are known; 2026-07-28 has no ids.
func newSession(endpoint *web.Endpoint, id, version string) *session {
	s := &session{version: version}
	if !mcp.IsModernProtocol(version) {
		s.id = id
	}
	s.listening = endpoint.Header()
	s.listening.Set("Accept", web.EventStream)
	if s.id != "" {
		s.listening.Set(mcp.HeaderSessionID, s.id)
	}
	if version != "" {
		s.listening.Set(mcp.HeaderProtocolVersion, version)
	}
	s.posting = s.listening.Clone()
	s.posting.Set("Accept", jsonType+", "+web.EventStream)
	s.posting.Set("Content-Type", jsonType)
	return s
}

// modern reports whether the version is stateless, as 2026-07-28 is.
func (s *session) modern() bool { return mcp.IsModernProtocol(s.version) }

// header returns the headers of a message. In 2026-07-28 they repeat its method and name.
func (s *session) header(method mcp.MCPMethod, params []byte, tools *annotatedTools) http.Header {
	if !s.modern() {
		return s.posting
	}
	header := s.posting.Clone()
	header.Set(mcp.HeaderMethod, string(method))
	member := ""
	switch method {
	case mcp.MethodToolsCall, mcp.MethodPromptsGet:
		member = "name"
	case mcp.MethodResourcesRead:
		member = "uri"
	}
	if member == "" {
		return header
	}
	name := rawjson.Text(rawjson.Member(params, member))
	encoded, _ := mcp.EncodeHeaderValue(name) // any string can be encoded
	header.Set(mcp.HeaderName, encoded)
	if method == mcp.MethodToolsCall {
		tools.setHeaders(header, name, params)
	}
	return header
}

// listeningAfter returns the headers of a stream that resumes after an event.
func (s *session) listeningAfter(lastID string) http.Header {
	if lastID == "" {
		return s.listening
	}
	header := s.listening.Clone()
	header.Set(mcp.HeaderLastEventID, lastID)
	return header
}
