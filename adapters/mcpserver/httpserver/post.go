package httpserver

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
)

const (
	// maxHandshake is the maximum size of a message of a host that has no session, in bytes.
	maxHandshake = 1 << 20
	// maxLost is the same for a host whose session is gone: a handshake is shorter, and nothing else is read.
	maxLost = 64 << 10
	// maxListening is the maximum size of a request that is under way for as long as a host listens.
	maxListening = 64 << 10
)

// post handles a message of a host.
func (h *Handler) post(q *httpRequest) *refusal {
	if q.r.ContentLength != 0 {
		// It is removed once the body is read. Without it, net/http would wait for the body
		// before it sends a refusal.
		q.w.Header().Set("Connection", "close")
	}
	if !q.accepts(contentJSON) && !q.accepts(contentEvents) {
		return refuse(http.StatusNotAcceptable, codeRefused, "the header Accept must have "+contentJSON+" and "+contentEvents+", or one of them")
	}
	x, refused := h.receive(q)
	switch {
	case refused != nil:
		return refused
	case x == nil:
		q.w.WriteHeader(http.StatusAccepted)
		return nil
	}
	return h.respond(q, x)
}

// receive reads a message and begins to handle it. It returns the reply to a request, which the
// caller must send, and nil for any other message. It releases the memory of the message.
func (h *Handler) receive(q *httpRequest) (*reply, *refusal) {
	s, limit, lost := h.sender(q)
	if lost != nil && (lost.status != http.StatusNotFound || q.r.ContentLength > maxLost) {
		return nil, lost
	}
	control := http.NewResponseController(q.w)
	inbox := h.bodies.inbox(q.holder(s), func() { _ = control.SetReadDeadline(time.Unix(1, 0)) }) // which ends a Read
	defer inbox.close()
	if refused := h.read(q, control, inbox, limit); refused != nil {
		return nil, cmp.Or(lost, refused)
	}
	in, err := mcpserver.ReadIncoming(inbox.scanner, inbox.text)
	if lost != nil && (err != nil || !in.IsInitialize()) {
		return nil, lost
	}
	if invalid, ok := errors.AsType[*mcpserver.InvalidMessageError](err); ok {
		return nil, &refusal{status: http.StatusBadRequest, text: invalid.Answer.Message()}
	}
	if in.IsRequest() && h.isDraining() {
		return nil, refuseForNow(in.ID(), errDraining.Error(), longPause)
	}
	size := int64(len(inbox.text))
	var refused *refusal
	switch {
	case in.IsModern() || q.isModern():
		s, refused = h.modernSession(q, in)
	case in.IsInitialize():
		s, refused = h.initialize(q, in)
		size = 0 // it is under way only briefly
	case s == nil:
		s, refused = h.session(q)
	}
	if refused != nil {
		return nil, refused
	}
	if !in.IsRequest() {
		s.receiver.Receive(in, nil)
		return nil, nil
	}
	x := newReply(s, in.ID())
	x.isLasting = in.IsSubscription()
	if x.isLasting && size > maxListening {
		s.use(-1)
		return nil, h.refuseListening(in.ID())
	}
	if x.isLasting && !q.accepts(contentEvents) {
		s.use(-1)
		return nil, refuseStream()
	}
	var ok bool
	if x.held, ok = h.underWay.begin(s.holder, size, x.giveUp); !ok {
		s.use(-1)
		return nil, refuseForNow(in.ID(), tooManyUnderWay, shortPause)
	}
	in.TransportTrace = q.traceparent()
	x.begun(s.receiver.Receive(in, x))
	return x, nil
}

// sender returns, before a byte of the body is read, which session a message names, nil for
// none, and how long the message can be. A session that is gone is refused, unless the message begins a new one.
//
// Decision: a host whose session is gone may name it in the handshake that begins another one. The protocol does not
// want that header there, but hosts leave it in.
func (h *Handler) sender(q *httpRequest) (s *session, limit int64, refused *refusal) {
	switch {
	case q.isModern(): // which has no session
		return nil, h.limits.MessageSize, nil
	case q.r.Header.Get(mcp.HeaderSessionID) == "":
		return nil, min(h.limits.MessageSize, maxHandshake), nil
	}
	if s, refused = h.session(q); refused != nil {
		return nil, min(h.limits.MessageSize, maxLost), refused
	}
	return s, h.limits.MessageSize, nil
}

// initialize begins the session of a host that makes a handshake.
func (h *Handler) initialize(q *httpRequest, in mcpserver.Incoming) (*session, *refusal) {
	s, err := h.begin(q.access)
	if err != nil {
		return nil, refuseToBegin(in.ID(), err)
	}
	s.primes = in.HandshakeVersion() >= mcp.ProtocolVersion20251125
	q.w.Header().Set(mcp.HeaderSessionID, s.key.id)
	return s, nil
}

// Seconds after which a message that was refused for now can be sent again: longPause until
// sessions may have ended, shortPause until a large message may have been answered.
const (
	longPause  = "30"
	shortPause = "1"
)

// The reasons why a message is refused for now.
const (
	tooManyArriving = "too many messages are arriving; try again in a second, or have the operator raise limits.arriving"
	tooManyUnderWay = "too many requests are under way; try again in a second, or have the operator raise limits.underWay"
)

// read reads the body of a message up to the limit.
func (h *Handler) read(q *httpRequest, control *http.ResponseController, body *inbox, limit int64) *refusal {
	if q.r.ContentLength > limit {
		return h.refuseLength(nil, limit)
	}
	start, until := time.Now(), time.Time{}
	pace := func(arrived int64) {
		if end := start.Add(bodyTime + time.Duration(arrived/slowest)*time.Second); !end.Equal(until) {
			until = end
			_ = control.SetReadDeadline(until) // a connection without deadlines has no slow body
		}
	}
	switch err := body.read(q.r.Body, limit, pace); {
	case errors.Is(err, errTooLong):
		return h.refuseLength(body.head(), limit)
	case errors.Is(err, errNoRoom):
		return refuseForNow(jsonrpc.SalvageID(body.head(), nil), tooManyArriving, shortPause)
	case err != nil:
		return refuse(http.StatusBadRequest, codeRefused, "the body of the request was cut off or arrived too slowly")
	}
	q.w.Header().Del("Connection")
	_ = control.SetReadDeadline(time.Time{}) // or the connection would end while the request waits
	return nil
}

// headSize is the number of bytes of a long message that are searched for its id.
const headSize = 4 << 10

// refuseLength returns the refusal of a message over the limit. The rest of it is not read.
func (h *Handler) refuseLength(head []byte, limit int64) *refusal {
	answer := mcpserver.TooLong(head, limit)
	if limit < h.limits.MessageSize {
		why := fmt.Sprintf("a message without a session is over the limit of %d bytes: begin with initialize", limit)
		answer = jsonrpc.Error(jsonrpc.SalvageID(head, nil), codeRefused, why)
	}
	return &refusal{status: http.StatusRequestEntityTooLarge, text: answer.Message()}
}

// refuseListening returns the refusal of a request to listen that is over its limit.
func (*Handler) refuseListening(id json.RawMessage) *refusal {
	why := fmt.Sprintf("a request to listen is over the limit of %d bytes", maxListening)
	return &refusal{status: http.StatusRequestEntityTooLarge, text: jsonrpc.Error(id, codeRefused, why).Message()}
}
