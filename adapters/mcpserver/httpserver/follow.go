package httpserver

import (
	"context"
	"time"
)

// follower sends the messages that a reader takes from a stream to its host.
type follower struct {
	session *session
	reader  *reader
	out     *eventWriter
	// gone is closed when the host is gone, revoked when it loses its access.
	gone, revoked <-chan struct{}
	// until is when the host must stop listening, the zero time for never. An answer that it
	// waits for is sent even after that.
	until time.Time
}

// follow sends the messages of a stream until its end, and then calls end. ended is false if
// the host is gone or another reader has the stream. A stream that leaves may be silent for
// hours: it continues without the handler, whose buffers and stack would be more than half of
// what an idle host costs.
func (h *Handler) follow(q *httpRequest, f *follower, leaves bool, end func(ended bool)) {
	if leaves && h.beginStream() {
		if c := takeOver(q.w); c != nil {
			f.out.to, f.gone = c, c.gone
			go func() {
				defer h.streams.Done()
				end(f.follow())
				c.end()
			}()
			return
		}
		h.streams.Done()
	}
	f.gone = q.r.Context().Done()
	end(f.follow())
}

// follow sends the messages, and reports whether the end of the stream was reached.
func (f *follower) follow() (ended bool) {
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	var expired <-chan time.Time
	if !f.until.IsZero() {
		end := time.NewTimer(time.Until(f.until))
		defer end.Stop()
		expired = end.C
	}
	for {
		events, ended := f.reader.take()
		if len(events) > 0 && !f.out.send(events) {
			return false
		}
		if ended {
			return true
		}
		select {
		case <-f.reader.wake:
		case <-alive.C:
			if !f.out.comment() {
				return false
			}
		case <-f.reader.taken:
			return false
		case <-f.gone:
			return false
		case <-f.revoked:
			return false
		case <-expired:
			return false
		case <-f.session.gone:
			events, ended := f.reader.take()
			return (len(events) == 0 || f.out.send(events)) && ended
		}
	}
}

// beginStream counts a stream that leaves its handler. It returns false while sessions are
// drained; otherwise callers must call streams.Done.
func (t *sessions) beginStream() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.draining {
		return false
	}
	t.streams.Add(1)
	return true
}

// WaitForStreams waits, after Close, until streams that left their handlers are written or the
// context ends. Shutdown of the server does not wait for them.
func (t *sessions) WaitForStreams(ctx context.Context) {
	over := make(chan struct{})
	go func() {
		t.streams.Wait()
		close(over)
	}()
	select {
	case <-over:
	case <-ctx.Done():
	}
}
