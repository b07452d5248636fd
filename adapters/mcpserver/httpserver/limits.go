package httpserver

// Limits bound what grows with the number of hosts.
type Limits struct {
	// Sessions is the maximum number of sessions at once, SessionsPerIdentity how many of them
	// one identity can have if callers authenticate; 0 for no limit.
	Sessions, SessionsPerIdentity int
	// MessageSize is the largest message in bytes.
	MessageSize int64
	// Arriving is the maximum size of all messages that are arriving, UnderWay that of all requests that
	// are not answered yet, and Sending that of all answers that hosts have not read yet, in bytes. The
	// first two are at least so large that each of two callers can send the largest message.
	Arriving, UnderWay, Sending int64
}

const (
	// All messages that arrive, and all requests under way, can together have at least the size of
	// bodiesAtOnce messages of the largest size, or leastBodies bytes: a message counts twice while it
	// arrives, and each of two callers has a half.
	bodiesAtOnce = 4
	leastBodies  = 16 << 20
	// All writes to hosts can together have at least the size of sendsAtOnce messages of the largest size,
	// or leastSends bytes: an event counts twice.
	sendsAtOnce = 8
	leastSends  = 64 << 20
)

// atLeast returns the limits, none of which is too small for the largest messages.
func (l Limits) atLeast() Limits {
	l.Arriving = max(l.Arriving, bodiesAtOnce*l.MessageSize, leastBodies)
	l.UnderWay = max(l.UnderWay, bodiesAtOnce*l.MessageSize, leastBodies)
	l.Sending = max(l.Sending, sendsAtOnce*l.MessageSize, leastSends)
	return l
}
