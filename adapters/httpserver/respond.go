package httpserver

import (
	"net/http"
	"time"

	"mcp-workbench/domain/protocol"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/adapters/jsonrpc"
)

const (
	contentJSON   = "application/json"
	contentEvents = "text/event-stream"
)

const (
	// keepAlive is how often a stream says that it is alive, since proxies cut connections
	// that are silent.
	keepAlive = 15 * time.Second
	// writeTime is how long a host may take to read what was written, and a second more for
	// each slowest bytes of it.
	writeTime = 30 * time.Second
	slowest   = 64 << 10
)

// respond sends what comes of a request: one JSON answer if that is all, otherwise a
// stream.
func (h *Handler) respond(w http.ResponseWriter, r *http.Request, x *exchange, cancel func()) {
	reading, revoked := x.reading, access.Of(r.Context()).Revoked
	silence := time.NewTimer(keepAlive)
	defer silence.Stop()
	defer func() {
		if x.number == 0 {
			x.release() // nobody was told how to ask for it
		}
	}()
	for {
		select {
		case <-reading.wake:
		case <-silence.C:
			h.stream(w, r, x, reading, nil, cancel)
			return
		case <-r.Context().Done():
			h.cut(x, reading, cancel)
			return
		case <-revoked:
			h.cut(x, reading, cancel)
			return
		case <-x.session.gone:
			refuseSession(w)
			return
		}
		events, ended := x.take(reading)
		switch {
		case ended && len(events) == 0:
			w.WriteHeader(http.StatusAccepted) // cancelled
			return
		case ended && len(events) == 1:
			h.sends.answer(w, x.status(), events[0].text)
			return
		case len(events) > 0:
			h.stream(w, r, x, reading, events, cancel)
			return
		}
	}
}

// cut handles that the connection was cut. Before 2026-07-28 the request goes on; since
// then the host has cancelled it.
func (h *Handler) cut(x *exchange, reading *reader, cancel func()) {
	used := x.detach(reading)
	if x.session.isModern() {
		cancel()
	} else if !used && !x.primed {
		x.session.forget(x.stream) // nobody can ask for it
	}
}

// status is the status of a response that is one answer (2026-07-28 gives errors about the
// request itself one of their own).
func (e *exchange) status() int {
	switch {
	case !e.session.isModern() || e.refusal == 0:
		return http.StatusOK
	case e.refusal == jsonrpc.CodeMethodNotFound:
		return http.StatusNotFound
	case e.refusal == jsonrpc.CodeInternal:
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// answer sends a response that is one short message.
func answer(w http.ResponseWriter, status int, text []byte) { (&sends{}).answer(w, status, text) }

// setWriteDeadline bounds how long the host may take to read the bytes that are written
// next. The server sets one for each request, which must not have passed meanwhile.
func setWriteDeadline(to interface{ SetWriteDeadline(time.Time) error }, size int) {
	limit := writeTime + time.Duration(size/slowest)*time.Second
	_ = to.SetWriteDeadline(time.Now().Add(limit)) // what has none cannot be slow
}

// stream sends what comes of a request as a stream, beginning with events.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, x *exchange, reading *reader, events []event, cancel func()) {
	if x.resumable {
		x.session.register(x.stream)
		if x.hasEnded() { // before it had a number to be kept by
			x.session.kept.keep(x.session, x.stream)
		}
	}
	alone := x.lasting && canLeave(r)
	out := newEventWriter(w, h.sends, x.number, x.resumable, alone)
	if x.resumable && x.session.primes {
		x.primed = true
		out.prime()
	}
	over := func(ended bool) {
		if !ended {
			h.cut(x, reading, cancel)
		}
	}
	if !out.send(events) {
		over(false)
		return
	}
	f := &follower{session: x.session, from: x.stream, reading: reading, out: out}
	if x.lasting {
		f.until = access.Of(r.Context()).Until
	}
	h.follow(w, r, f, alone, over)
}

// get sends what belongs to no request, or goes on with a stream that was cut.
func (h *Handler) get(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, contentEvents) {
		refuse(w, http.StatusNotAcceptable, codeRefused, "the header Accept must have "+contentEvents)
		return
	}
	if !checkVersion(w, r) {
		return
	}
	s := h.find(w, r)
	if s == nil {
		return
	}
	from, after := s.general, uint64(0)
	last := r.Header.Get(protocol.HeaderLastEventID)
	if last != "" {
		number, event, ok := eventID(last)
		if from = s.streamOf(number); !ok || from == nil {
			refuse(w, http.StatusBadRequest, codeRefused, "nothing is kept for this "+protocol.HeaderLastEventID)
			return
		}
		after = event
	}
	s.enter()
	var reading *reader
	if last == "" {
		reading = from.attach()
	} else {
		reading = from.resume(after)
	}
	over := func(ended bool) {
		if !ended {
			from.detach(reading)
		}
		s.leave()
	}
	alone := canLeave(r)
	out := newEventWriter(w, h.sends, from.number, true, alone)
	if !out.flush() {
		over(false)
		return
	}
	h.follow(w, r, &follower{session: s, from: from, reading: reading, out: out, until: access.Of(r.Context()).Until}, alone, over)
}
