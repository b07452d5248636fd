package httpserver

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/application/shares"
)

// Handler answers the requests of hosts at any path. Safe for concurrent use.
type Handler struct {
	*sessions
	versions Versions
	bodies   *bodies
	underWay *underWay
	sends    *sends
}

// Versions are the versions of the protocol that are served.
type Versions struct {
	// WithoutModern leaves out 2026-07-28, in which lists are the same for every request, so
	// that tools cannot be registered.
	WithoutModern bool
}

// New returns a handler that makes a workbench for each host with open, which can be called
// on any goroutine.
func New(open func(Want) *Host, limits Limits, versions Versions) *Handler {
	limits = limits.atLeast()
	return &Handler{
		sessions: &sessions{
			open: open, limits: limits, kept: &keptStreams{budget: shares.NewBudget(maxHeld, shares.Oldest)},
			sessions: map[sessionKey]*session{}, counts: map[string]int{}, unended: map[string]int{},
		},
		versions: versions,
		bodies:   &bodies{arriving: shares.NewBudget(limits.Arriving, shares.Newest)},
		underWay: newUnderWay(limits),
		sends:    &sends{budget: shares.NewBudget(limits.Sending, shares.Oldest)},
	}
}

// The methods of HTTP for older hosts, and for those of 2026-07-28.
const (
	olderMethods  = "GET, POST, DELETE"
	modernMethods = "POST"
)

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if refused := h.serve(&httpRequest{w: w, r: r, access: callers.AccessOf(r.Context())}); refused != nil {
		refused.write(w)
	}
}

// serve answers a request, or returns why it is refused.
func (h *Handler) serve(q *httpRequest) *refusal {
	switch {
	case q.r.Method == http.MethodPost && q.r.Header.Get("Early-Data") == "1":
		// A proxy passes it on before the handshake that shows that it is not a repeated one (RFC 8470).
		return refuse(http.StatusTooEarly, codeRefused, "the message came as early data of TLS, which can be repeated: send it again")
	case q.r.Method == http.MethodPost:
		return h.post(q)
	case q.isModern():
		return refuseMethod(modernMethods, q.r.Method+" is not part of protocol version "+mcp.ProtocolVersion20260728)
	case q.r.Method == http.MethodGet:
		return h.get(q)
	case q.r.Method == http.MethodDelete:
		return h.delete(q)
	}
	return refuseMethod(olderMethods, "use POST, GET or DELETE")
}

// delete ends the session of a host.
func (h *Handler) delete(q *httpRequest) *refusal {
	s, refused := h.session(q)
	if refused != nil {
		return refused
	}
	if !h.end(s) {
		return refuseSession()
	}
	q.w.WriteHeader(http.StatusOK)
	return nil
}

// session returns the session that a request of an older host names.
func (h *Handler) session(q *httpRequest) (*session, *refusal) {
	if refused := q.checkVersion(); refused != nil {
		return nil, refused
	}
	id := q.r.Header.Get(mcp.HeaderSessionID)
	if id == "" {
		return nil, refuse(http.StatusBadRequest, codeRefused, "the header "+mcp.HeaderSessionID+" is missing: begin with initialize")
	}
	if s := h.find(id, q.access); s != nil {
		return s, nil
	}
	return nil, refuseSession()
}
