package httpserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/callers"
)

// httpRequest is a request that is being answered.
type httpRequest struct {
	w http.ResponseWriter
	r *http.Request
	// access says which toolboxes the caller can see.
	access callers.Access
}

// holder returns who has a share of what all callers use: the identity of the caller; without one its
// session, nil for none, or the connection.
func (q *httpRequest) holder(s *session) string {
	switch {
	case q.access.Identity != "":
		return q.access.Identity
	case s != nil:
		return s.holder
	}
	return "connection " + q.r.RemoteAddr
}

// maxTraceparent is the maximum length of a kept traceparent of a later version.
const maxTraceparent = 256

// traceparent returns the header with the span of the request (https://www.w3.org/TR/trace-context), "" for
// none.
func (q *httpRequest) traceparent() string {
	if text := q.r.Header.Get("Traceparent"); len(text) <= maxTraceparent {
		return text
	}
	return ""
}

// refusal is the answer to a request that is not handled.
type refusal struct {
	status int
	text   []byte // a JSON-RPC error
	// retryAfter is in how many seconds the request can be made again, "" if it cannot.
	retryAfter string
	// allow are the methods that the host can use instead, "" if the method is not the problem.
	allow string
}

// codeRefused is the code of errors about an HTTP request, codeNoSession the code for a session that does
// not exist. The official TypeScript SDK uses them.
const (
	codeRefused   = -32000
	codeNoSession = -32001
)

// refuse returns the refusal of a request whose message was not read.
func refuse(status, code int, why string) *refusal {
	return &refusal{status: status, text: jsonrpc.Error(nil, code, why).Message()}
}

// refuseMethod returns the refusal of a method of HTTP.
func refuseMethod(allow, why string) *refusal {
	refused := refuse(http.StatusMethodNotAllowed, codeRefused, why)
	refused.allow = allow
	return refused
}

// refuseSession returns the refusal of a request whose session has ended or never existed. A session of
// another identity is refused the same way.
func refuseSession() *refusal {
	return refuse(http.StatusNotFound, codeNoSession, "Session not found: begin again with initialize")
}

// refuseForNow returns the refusal of a message that can be sent again in a number of seconds.
func refuseForNow(id json.RawMessage, why, seconds string) *refusal {
	text := jsonrpc.Error(id, codeRefused, why).Message()
	return &refusal{status: http.StatusServiceUnavailable, text: text, retryAfter: seconds}
}

// refuseToBegin returns the refusal of a message whose session could not begin.
func refuseToBegin(id json.RawMessage, err error) *refusal {
	if errors.Is(err, errRevoked) {
		return &refusal{status: http.StatusUnauthorized, text: jsonrpc.Error(id, codeRefused, err.Error()).Message()}
	}
	return refuseForNow(id, err.Error(), longPause)
}

// write sends the refusal.
func (refused *refusal) write(w http.ResponseWriter) {
	if refused.allow != "" {
		w.Header().Set("Allow", refused.allow)
	}
	if refused.retryAfter != "" {
		w.Header().Set("Retry-After", refused.retryAfter)
	}
	(&sends{}).answer(w, nil, "", refused.status, refused.text)
}

// checkVersion refuses a request of an older host whose header names another version than those before
// 2026-07-28. Without the header the version is 2025-03-26.
func (q *httpRequest) checkVersion() *refusal {
	version := q.r.Header.Get(mcp.HeaderProtocolVersion)
	if version == "" || mcp.IsValidProtocolVersion(version) && !mcp.IsModernProtocol(version) {
		return nil
	}
	return refuse(http.StatusBadRequest, codeRefused, "the header "+mcp.HeaderProtocolVersion+
		" names an unsupported version; supported are "+strings.Join(mcp.ValidProtocolVersions, ", "))
}

// isModern reports whether the request names version 2026-07-28 or later.
func (q *httpRequest) isModern() bool {
	version := q.r.Header.Get(mcp.HeaderProtocolVersion)
	return mcp.IsModernProtocol(version) && mcp.IsValidProtocolVersion(version)
}

// accepts reports whether the host accepts content of that type.
func (q *httpRequest) accepts(wanted string) bool {
	values := q.r.Header.Values("Accept")
	if len(values) == 0 {
		return true // RFC 9110 section 12.5.1
	}
	family, _, _ := strings.Cut(wanted, "/")
	for _, value := range values {
		for offered := range strings.SplitSeq(value, ",") {
			kind, _, _ := strings.Cut(offered, ";")
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case wanted, family + "/*", "*/*":
				return true
			}
		}
	}
	return false
}
