package httpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
)

// maxHandshake is the size of a message of a host that has no session, in bytes.
const maxHandshake = 1 << 20

// post handles a message of a host.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		// Until the body is read: net/http would wait for it before it sends a refusal.
		w.Header().Set("Connection", "close")
	}
	if !accepts(r, contentJSON) || !accepts(r, contentEvents) {
		refuse(w, http.StatusNotAcceptable, codeRefused, "the header Accept must have both "+contentJSON+" and "+contentEvents)
		return
	}
	exchange, cancel := h.take(w, r)
	if exchange != nil {
		h.respond(w, r, exchange, cancel)
	}
}

// take reads a message and has it handled. It returns the exchange of a request, whose
// answer is to be sent, with what cancels it. Everything else it has answered, and the
// message is not needed any more.
func (h *Handler) take(w http.ResponseWriter, r *http.Request) (exchange *exchange, cancel func()) {
	s, limit, ok := h.sender(w, r)
	if !ok {
		return nil, nil
	}
	box := h.bodies.inbox()
	defer box.close()
	if !h.read(w, r, box, limit) {
		return nil, nil
	}
	in, err := mcpserver.ReadIncoming(box.scanner, box.text())
	if invalid, ok := errors.AsType[*mcpserver.InvalidMessageError](err); ok {
		answer(w, http.StatusBadRequest, invalid.Answer.Message())
		return nil, nil
	}
	if in.IsRequest() && h.sessions.isDraining() {
		refuseForNow(w, in, errDraining)
		return nil, nil
	}
	switch {
	case in.IsModern() || isModern(r):
		s = h.modernSession(w, r, in)
	case in.IsInitialize():
		return h.initialize(w, r, in)
	case s == nil && checkVersion(w, r):
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
	counted, ok := h.bodies.begin(box.size)
	if !ok {
		refuseBusy(w, in.ID())
		return nil, nil
	}
	exchange = newExchange(s, func() { h.bodies.over(counted) })
	exchange.lasting = in.IsSubscription()
	return exchange, s.exchanges.Receive(in, exchange)
}

// sender says, before a byte of the body is read, which session a message names, nil for
// none, and how long it may be. It refuses one that names a session that is not there.
func (h *Handler) sender(w http.ResponseWriter, r *http.Request) (s *session, limit int64, ok bool) {
	switch {
	case isModern(r): // which has no session
		return nil, h.limits.MessageSize, true
	case r.Header.Get(protocol.HeaderSessionID) == "":
		return nil, min(h.limits.MessageSize, maxHandshake), true
	case !checkVersion(w, r):
		return nil, 0, false
	}
	s = h.find(w, r)
	return s, h.limits.MessageSize, s != nil
}

// isModern reports whether a request says that it is of 2026-07-28 or later.
func isModern(r *http.Request) bool {
	return protocol.IsModern(r.Header.Get(protocol.HeaderProtocolVersion)) && isVersion(r)
}

// initialize begins the session of a host that makes a handshake.
func (h *Handler) initialize(w http.ResponseWriter, r *http.Request, in mcpserver.Incoming) (*exchange, func()) {
	s, err := h.sessions.begin(access.Of(r.Context()))
	if err != nil {
		refuseForNow(w, in, err)
		return nil, nil
	}
	s.primes = in.HandshakeVersion() >= protocol.Version20251125
	w.Header().Set(protocol.HeaderSessionID, s.id)
	exchange := newExchange(s, func() {})
	return exchange, s.exchanges.Receive(in, exchange)
}

// refuseForNow refuses a request that may be made again later.
func refuseForNow(w http.ResponseWriter, in mcpserver.Incoming, why error) {
	w.Header().Set("Retry-After", "30")
	answer(w, http.StatusServiceUnavailable, jsonrpc.Error(in.ID(), codeRefused, why.Error()).Message())
}

// refuseBusy refuses a message for which there is no memory now.
func refuseBusy(w http.ResponseWriter, id json.RawMessage) {
	w.Header().Set("Retry-After", "1")
	why := "too many long messages are arriving or under way; try again in a second"
	answer(w, http.StatusServiceUnavailable, jsonrpc.Error(id, codeRefused, why).Message())
}

// read reads the body of a message up to the limit. It refuses a longer one, and reports
// whether there is a message.
func (h *Handler) read(w http.ResponseWriter, r *http.Request, box *inbox, limit int64) bool {
	if r.ContentLength > limit {
		h.refuseLength(w, nil, limit)
		return false
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // what cannot set it has no slow body
	switch err := box.read(r.Body, limit); {
	case errors.Is(err, errTooLong):
		h.refuseLength(w, box.head(), limit)
		return false
	case errors.Is(err, errNoRoom):
		refuseBusy(w, jsonrpc.SalvageID(box.head(), nil))
		return false
	case err != nil:
		refuse(w, http.StatusBadRequest, codeRefused, "the body of the request is cut or too slow")
		return false
	}
	w.Header().Del("Connection")
	_ = control.SetReadDeadline(time.Time{}) // or the connection would end while the request waits
	return true
}

// headSize is how much of a long message is looked at for its id.
const headSize = 4 << 10

// refuseLength refuses a message over the limit. What is left of it is not read.
func (h *Handler) refuseLength(w http.ResponseWriter, head []byte, limit int64) {
	refused := mcpserver.TooLong(head, limit)
	if limit < h.limits.MessageSize {
		why := fmt.Sprintf("a message without a session is over the limit of %d bytes: begin with initialize", limit)
		refused = jsonrpc.Error(jsonrpc.SalvageID(head, nil), codeRefused, why)
	}
	answer(w, http.StatusRequestEntityTooLarge, refused.Message())
}
