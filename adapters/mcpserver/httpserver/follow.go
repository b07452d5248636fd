package httpserver

import "time"

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
