package httpserver

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/adapters/mcpserver"
)

// inbox is what one message is read with.
type inbox struct {
	body    bytes.Buffer
	scanner *jsonscan.Scanner
}

// maxInbox is the size up to which the memory of a body is kept for the next.
const maxInbox = 64 << 10

func newInbox() any { return &inbox{scanner: jsonscan.NewScanner()} }

// post handles a message of a host.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, contentJSON) || !accepts(r, contentEvents) {
		refuse(w, http.StatusNotAcceptable, codeRefused, "the header Accept must have both "+contentJSON+" and "+contentEvents)
		return
	}
	box := h.inboxes.Get().(*inbox)
	exchange, cancel := h.take(w, r, box)
	if box.body.Cap() <= maxInbox {
		box.body.Reset()
		h.inboxes.Put(box)
	}
	if exchange != nil {
		h.respond(w, r, exchange, cancel)
	}
}

// take reads a message and has it handled. It returns the exchange of a request, whose
// answer is to be sent, with what cancels it. Everything else it has answered, and the
// message is not needed any more.
func (h *Handler) take(w http.ResponseWriter, r *http.Request, box *inbox) (exchange *exchange, cancel func()) {
	if !h.read(w, r, &box.body) {
		return nil, nil
	}
	in, err := mcpserver.ReadIncoming(box.scanner, box.body.Bytes())
	if invalid, ok := errors.AsType[*mcpserver.InvalidMessageError](err); ok {
		answer(w, http.StatusBadRequest, invalid.Answer.Message())
		return nil, nil
	}
	if in.IsRequest() && h.sessions.isDraining() {
		refuseForNow(w, in, errDraining)
		return nil, nil
	}
	var s *session
	switch {
	case in.IsModern(), mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) && isVersion(r):
		s = h.modernSession(w, r, in)
	case in.IsInitialize():
		return h.initialize(w, r, in)
	case checkVersion(w, r):
		s = h.find(w, r)
	}
	switch {
	case s == nil:
		return nil, nil
	case !in.IsRequest():
		s.exchanges.Receive(in, nil)
		w.WriteHeader(http.StatusAccepted)
		return nil, nil
	}
	exchange = newExchange(s)
	exchange.lasting = in.IsSubscription()
	return exchange, s.exchanges.Receive(in, exchange)
}

// initialize begins the session of a host that makes a handshake.
func (h *Handler) initialize(w http.ResponseWriter, r *http.Request, in mcpserver.Incoming) (*exchange, func()) {
	s, err := h.sessions.begin(access.Of(r.Context()))
	if err != nil {
		refuseForNow(w, in, err)
		return nil, nil
	}
	s.primes = in.HandshakeVersion() >= mcp.ProtocolVersion20251125
	w.Header().Set(mcp.HeaderSessionID, s.id)
	exchange := newExchange(s)
	return exchange, s.exchanges.Receive(in, exchange)
}

// refuseForNow refuses a request that may be made again later.
func refuseForNow(w http.ResponseWriter, in mcpserver.Incoming, why error) {
	w.Header().Set("Retry-After", "30")
	answer(w, http.StatusServiceUnavailable, jsonrpc.Error(in.ID(), codeRefused, why.Error()).Message())
}

// read reads the body of a message up to the limit. It refuses a longer one, and reports
// whether there is a message.
func (h *Handler) read(w http.ResponseWriter, r *http.Request, into *bytes.Buffer) bool {
	limit := h.limits.MessageSize
	if r.ContentLength > limit {
		h.refuseLength(w, nil)
		return false
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // what cannot set it has no slow body
	_, err := into.ReadFrom(io.LimitReader(r.Body, limit+1))
	switch {
	case int64(into.Len()) > limit:
		h.refuseLength(w, into.Bytes()[:min(into.Len(), headSize)])
		return false
	case err != nil:
		w.Header().Set("Connection", "close")
		refuse(w, http.StatusBadRequest, codeRefused, "the body of the request is cut or too slow")
		return false
	}
	_ = control.SetReadDeadline(time.Time{}) // or the connection would end while the request waits
	return true
}

// headSize is how much of a long message is looked at for its id.
const headSize = 4 << 10

// refuseLength refuses a message over the limit. What is left of it is not read.
func (h *Handler) refuseLength(w http.ResponseWriter, head []byte) {
	w.Header().Set("Connection", "close")
	answer(w, http.StatusRequestEntityTooLarge, mcpserver.TooLong(head, h.limits.MessageSize).Message())
}
