package httpserver

import (
	"context"
	"net/http"
	"strings"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/adapters/jsonrpc"
)

// Handler answers the requests of hosts, at whatever path it is. Safe for concurrent use.
type Handler struct {
	sessions *sessions
	limits   Limits
	// versions are those of the protocol that are served.
	versions Versions
	bodies   *bodies
	sends    *sends
}

// Versions are the versions of the protocol that hosts may speak.
type Versions struct {
	// WithoutModern leaves 2026-07-28 out, in which lists are the same for every request and
	// so no tools can be registered.
	WithoutModern bool
}

// New returns a handler that makes a workbench for each host with open, which is called on
// any goroutine.
func New(open func(Want) *Host, limits Limits, versions Versions) *Handler {
	return &Handler{
		sessions: newSessions(open, limits), limits: limits, versions: versions,
		bodies: newBodies(limits.MessageSize), sends: newSends(limits.MessageSize),
	}
}

// Ready reports whether new sessions can begin: not any more once Drain was called.
func (h *Handler) Ready() bool { return !h.sessions.isDraining() }

// Sessions returns how many sessions an identity has.
func (h *Handler) Sessions(identity string) int { return h.sessions.count(identity) }

// EndSessions ends the sessions whose access fits, for when it is not given any more. It
// does not wait for servers.
func (h *Handler) EndSessions(fits func(access.Access) bool) { h.sessions.endAll(fits) }

// Drain refuses sessions and requests from now on, and waits until those that are under
// way are answered or the context ends.
func (h *Handler) Drain(ctx context.Context) { h.sessions.drain(ctx) }

// Close ends every session and returns when nothing is left of their servers. No session can
// begin any more.
func (h *Handler) Close() { h.sessions.close() }

// WaitForStreams waits, after Close, until the streams that the server does not know of any
// more have been written, or the context ends.
func (h *Handler) WaitForStreams(ctx context.Context) { h.sessions.waitForStreams(ctx) }

// The methods that an older host may use, and one of 2026-07-28.
const (
	olderMethods  = "GET, POST, DELETE"
	modernMethods = "POST"
)

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case isModern(r):
		w.Header().Set("Allow", modernMethods)
		refuse(w, http.StatusMethodNotAllowed, codeRefused, r.Method+" is not part of protocol version "+protocol.Version20260728)
	case r.Method == http.MethodGet:
		h.get(w, r)
	case r.Method == http.MethodDelete:
		h.delete(w, r)
	default:
		w.Header().Set("Allow", olderMethods)
		refuse(w, http.StatusMethodNotAllowed, codeRefused, "use POST, GET or DELETE")
	}
}

// delete ends the session of a host.
func (h *Handler) delete(w http.ResponseWriter, r *http.Request) {
	if !checkVersion(w, r) {
		return
	}
	s := h.find(w, r)
	if s == nil {
		return
	}
	if !h.sessions.end(s) {
		refuseSession(w)
		return
	}
	w.WriteHeader(http.StatusOK)
}

// find returns the session that a request names, or refuses the request and returns nil.
func (h *Handler) find(w http.ResponseWriter, r *http.Request) *session {
	id := r.Header.Get(protocol.HeaderSessionID)
	if id == "" {
		refuse(w, http.StatusBadRequest, codeRefused, "the header "+protocol.HeaderSessionID+" is missing: begin with initialize")
		return nil
	}
	s := h.sessions.find(id, access.Of(r.Context()).Identity)
	if s == nil {
		refuseSession(w)
	}
	return s
}

// codeRefused is the code of errors about a request of HTTP, codeNoSession that of a
// session that is not there. The official TypeScript SDK uses them.
const (
	codeRefused   = -32000
	codeNoSession = -32001
)

// refuseSession refuses a request whose session has ended or never was. One of another
// identity looks the same.
func refuseSession(w http.ResponseWriter) {
	refuse(w, http.StatusNotFound, codeNoSession, "Session not found: begin again with initialize")
}

// refuse answers a request with a status and an error that says why.
func refuse(w http.ResponseWriter, status, code int, why string) {
	answer(w, status, jsonrpc.Error(nil, code, why).Message())
}

// checkVersion reports whether the version in the header is one that older hosts may
// speak; otherwise it refuses the request. Without the header it is 2025-03-26.
func checkVersion(w http.ResponseWriter, r *http.Request) bool {
	version := r.Header.Get(protocol.HeaderProtocolVersion)
	if version == "" || isVersion(r) && !protocol.IsModern(version) {
		return true
	}
	refuse(w, http.StatusBadRequest, codeRefused, "the header "+protocol.HeaderProtocolVersion+
		" names no version that is supported: "+strings.Join(protocol.Versions(), ", "))
	return false
}

// isVersion reports whether the header names a version of the protocol that there is.
func isVersion(r *http.Request) bool {
	return protocol.IsKnownVersion(r.Header.Get(protocol.HeaderProtocolVersion))
}

// accepts reports whether a host takes content of that type.
func accepts(r *http.Request, wanted string) bool {
	values := r.Header.Values("Accept")
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
