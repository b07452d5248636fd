package httpserver

import (
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
)

const (
	contentJSON   = "application/json"
	contentEvents = "text/event-stream"
)

const (
	// keepAlive is the interval between comments on a silent stream, since proxies cut silent
	// connections.
	keepAlive = 15 * time.Second
	// writeTime is how long a host can take to read what was written, plus a second for every
	// slowest bytes, and a body that arrives too.
	writeTime = 30 * time.Second
	slowest   = 64 << 10
)

// respond sends the reply to a request: one JSON answer if that is all, otherwise a
// stream. A host that accepts only one of them gets that.
func (h *Handler) respond(q *httpRequest, x *reply) *refusal {
	takesJSON, takesStream := q.accepts(contentJSON), q.accepts(contentEvents)
	silence := time.NewTimer(keepAlive)
	defer silence.Stop()
	defer func() {
		if x.stream.number == 0 {
			x.stream.release() // no host knows how to ask for it
		}
	}()
	for isGone := false; ; {
		select {
		case <-x.reader.wake:
			if q.r.Context().Err() != nil { // the host reads none of it
				x.cut()
				return nil
			}
		case <-silence.C:
			if takesStream {
				h.stream(q, x, nil)
				return nil
			}
		case <-q.r.Context().Done():
			x.cut()
			return nil
		case <-q.access.Revoked:
			x.cut()
			return nil
		case <-x.session.gone:
			isGone = true // the answer may have come before
		}
		events, ended := x.reader.take()
		if !takesStream {
			events = x.onlyAnswer(events, ended)
		}
		switch {
		case ended && len(events) == 0:
			q.w.WriteHeader(http.StatusAccepted) // cancelled
			return nil
		case ended && len(events) == 1 && takesJSON:
			h.answer(q, x, events[0].text)
			return nil
		case len(events) > 0:
			h.stream(q, x, events)
			return nil
		case isGone:
			return refuseSession()
		}
	}
}

// answer sends a reply that is one message. No host knows how to ask for it again.
func (h *Handler) answer(q *httpRequest, x *reply, text []byte) {
	written := h.sends.answer(q.w, q.r, x.session.holder, x.status(), text)
	x.stream.release()
	if written { // otherwise net/http may still use it
		jsonrpc.Recycle(text)
	}
}

// onlyAnswer returns the answer among the messages of a reply, for a host that takes no stream here. Those before it go to
// the stream of the session, which it may take.
func (x *reply) onlyAnswer(events []event, ended bool) []event {
	before := len(events)
	if ended && before > 0 {
		before--
	}
	for _, e := range events[:before] {
		if x.session.general != nil {
			_ = x.session.general.tryWrite(e.text) // it is bounded, as for messages about no request
		}
	}
	return events[before:]
}

// cut handles a cut connection. Before 2026-07-28 the request continues; since then the host
// has cancelled it.
func (x *reply) cut() {
	used := x.reader.detach()
	if x.session.isModern() {
		x.cancel()
	} else if !used && !x.isPrimed {
		x.session.forget(x.stream) // no host can ask for it
	}
}

// setWriteDeadline bounds how long the host can take to read the bytes that are written
// next. The server sets a deadline for each request, which may have passed meanwhile.
func setWriteDeadline(to *http.ResponseController, size int) {
	limit := writeTime + time.Duration(size/slowest)*time.Second
	_ = to.SetWriteDeadline(time.Now().Add(limit)) // a connection without deadlines cannot be slow
}

// stream sends a reply as a stream, beginning with events.
func (h *Handler) stream(q *httpRequest, x *reply, events []event) {
	if x.stream.resumable {
		x.session.register(x.stream)
		if x.stream.hasEnded() { // before it had a number to be kept by
			x.session.keep(x.stream)
		}
	}
	out := newEventWriter(q.w, q.r, h.sends, x.session.holder, x.stream.number, x.stream.resumable)
	if x.stream.resumable && x.session.primes {
		x.isPrimed = true
		out.prime()
	}
	if !out.send(events) {
		x.cut()
		return
	}
	f := &follower{session: x.session, reader: x.reader, out: out, gone: q.r.Context().Done(), revoked: q.access.Revoked}
	if x.isLasting {
		f.until = q.access.Until
	}
	if !f.follow() {
		x.cut()
	}
}

// refuseStream refuses what can only be a stream.
func refuseStream() *refusal {
	return refuse(http.StatusNotAcceptable, codeRefused, "the header Accept must have "+contentEvents)
}

// get sends messages that belong to no request, or resumes a stream that was cut.
func (h *Handler) get(q *httpRequest) *refusal {
	if !q.accepts(contentEvents) {
		return refuseStream()
	}
	s, refused := h.session(q)
	if refused != nil {
		return refused
	}
	var reader *reader
	if last := q.r.Header.Get(mcp.HeaderLastEventID); last == "" {
		reader = s.general.attach()
	} else {
		number, event, ok := eventID(last)
		stream := s.streamOf(number)
		if !ok || stream == nil {
			return refuse(http.StatusBadRequest, codeRefused, "no event is kept that has this "+mcp.HeaderLastEventID)
		}
		reader = stream.resume(event)
	}
	s.use(1)
	defer s.use(-1)
	out := newEventWriter(q.w, q.r, h.sends, s.holder, reader.stream.number, true)
	f := &follower{session: s, reader: reader, out: out, gone: q.r.Context().Done(), revoked: q.access.Revoked, until: q.access.Until}
	if !out.flush() || !f.follow() {
		reader.detach()
	}
	return nil
}
