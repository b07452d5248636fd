package httpserver

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

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
	reading := x.attach()
	silence := time.NewTimer(keepAlive)
	defer silence.Stop()
	for {
		select {
		case <-reading.wake:
		case <-silence.C:
			h.stream(w, r, x, reading, nil, cancel)
			return
		case <-r.Context().Done():
			h.cut(x, reading, cancel)
			return
		case <-x.session.gone:
			refuseSession(w)
			return
		}
		events, ended := x.take()
		switch {
		case ended && len(events) == 0:
			w.WriteHeader(http.StatusAccepted) // cancelled
			return
		case ended && len(events) == 1:
			answer(w, x.status(), events[0].text)
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
	if x.session.isModern() {
		cancel()
		return
	}
	if !x.detach(reading) {
		x.session.forget(x.number) // nobody can ask for it
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

// answer sends a response that is one message.
func answer(w http.ResponseWriter, status int, text []byte) {
	w.Header().Set("Content-Type", contentJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	setWriteDeadline(http.NewResponseController(w), len(text))
	w.WriteHeader(status)
	_, _ = w.Write(text) // a host that is gone needs no answer
}

// setWriteDeadline bounds how long the host may take to read the bytes that are written
// next. The server sets one for each request, which must not have passed meanwhile.
func setWriteDeadline(control *http.ResponseController, size int) {
	limit := writeTime + time.Duration(size/slowest)*time.Second
	_ = control.SetWriteDeadline(time.Now().Add(limit)) // what has none cannot be slow
}

// stream sends what comes of a request as a stream, beginning with events.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, x *exchange, reading *reader, events []event, cancel func()) {
	if x.resumable {
		x.session.register(x.stream)
	}
	out := newEventWriter(w, x.number, x.resumable)
	if x.resumable && x.session.primes {
		out.prime()
	}
	ended := out.send(events) && h.follow(r, x.session, x.stream, reading, out)
	if x.resumable && ended {
		x.session.keep(x.number)
	}
	if !ended {
		h.cut(x, reading, cancel)
	}
}

// follow sends what comes on a stream until its end, and reports whether that was reached.
// Otherwise the host is gone or another reader has the stream.
func (h *Handler) follow(r *http.Request, s *session, from *stream, reading *reader, out *eventWriter) (ended bool) {
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		select {
		case <-reading.wake:
		case <-alive.C:
			if !out.comment() {
				return false
			}
			continue
		case <-reading.taken:
			return false
		case <-r.Context().Done():
			return false
		case <-s.gone:
			return false
		}
		events, ended := from.take()
		if !out.send(events) {
			return false
		}
		if ended {
			return true
		}
	}
}

// eventWriter writes server-sent events.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	stream  uint64
	named   bool // events have ids
	buffer  bytes.Buffer
}

// newEventWriter begins a response that is a stream. Named says that its events have ids.
func newEventWriter(w http.ResponseWriter, stream uint64, named bool) *eventWriter {
	header := w.Header()
	header.Set("Content-Type", contentEvents)
	header.Set("Cache-Control", "no-cache, no-transform")
	header.Set("X-Accel-Buffering", "no") // nginx would keep events back
	w.WriteHeader(http.StatusOK)
	return &eventWriter{w: w, control: http.NewResponseController(w), stream: stream, named: named}
}

// prime sends an event without a message, whose id a host can resume from. The empty data
// is what the protocol wants (2025-11-25, basic/transports).
func (o *eventWriter) prime() {
	o.name(0)
	o.buffer.WriteString("data: \n\n")
}

func (o *eventWriter) name(number uint64) { fmt.Fprintf(&o.buffer, "id: %d-%d\n", o.stream, number) }

// send writes events and what waits, at once. It returns false if the host is gone.
func (o *eventWriter) send(events []event) bool {
	for _, e := range events {
		if o.named {
			o.name(e.number)
		}
		for line := range bytes.Lines(e.text) {
			o.buffer.WriteString("data: ")
			// A carriage return in JSON is white space, and here it would end the line.
			o.buffer.Write(bytes.ReplaceAll(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"), nil))
			o.buffer.WriteByte('\n')
		}
		o.buffer.WriteByte('\n')
	}
	return o.flush()
}

// comment writes a line that hosts ignore.
func (o *eventWriter) comment() bool {
	o.buffer.WriteString(": alive\n\n")
	return o.flush()
}

// maxEventBuffer is the size up to which the memory of an event is kept for the next.
const maxEventBuffer = 64 << 10

func (o *eventWriter) flush() bool {
	setWriteDeadline(o.control, o.buffer.Len())
	_, err := o.w.Write(o.buffer.Bytes())
	if o.buffer.Cap() > maxEventBuffer {
		o.buffer = bytes.Buffer{}
	}
	o.buffer.Reset()
	return err == nil && o.control.Flush() == nil
}

// eventID reads the id of an event: the numbers of its stream and of itself.
func eventID(text string) (stream, number uint64, ok bool) {
	before, after, _ := strings.Cut(text, "-")
	stream, err := strconv.ParseUint(before, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	number, err = strconv.ParseUint(after, 10, 64)
	return stream, number, err == nil
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
	last := r.Header.Get(mcp.HeaderLastEventID)
	if last != "" {
		number, event, ok := eventID(last)
		if from = s.streamOf(number); !ok || from == nil {
			refuse(w, http.StatusBadRequest, codeRefused, "nothing is kept for this "+mcp.HeaderLastEventID)
			return
		}
		after = event
	}
	s.enter()
	defer s.leave()
	var reading *reader
	if last == "" {
		reading = from.attach()
	} else {
		reading = from.resume(after)
	}
	out := newEventWriter(w, from.number, true)
	ended := out.flush() && h.follow(r, s, from, reading, out)
	if !ended {
		from.detach(reading)
	}
}
