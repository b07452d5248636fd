package domain

import "time"

// Limits bound what one server may take: time, bytes, places. A duration or
// size of 0 means "no limit" only where the comment says so.
type Limits struct {
	// Connect is the time from the start of a server to its listed tools.
	Connect time.Duration
	// OpenReply is the time after which opening a toolbox answers with what is up.
	OpenReply time.Duration
	// OpenGrace is the time for which opening a toolbox waits for the server once another
	// one came up, unless the server needs longer for a known reason.
	OpenGrace time.Duration
	// Call is the time that a server may be silent during a call, 0 for no limit.
	Call time.Duration
	// CallTotal is the time that a call may take in all, however much progress it
	// reports, 0 for no limit.
	CallTotal time.Duration
	// InputReply is the time that a host may take to continue a call during which the
	// server asked it for something.
	InputReply time.Duration
	// Shutdown is the time in which a server is gone when the workbench ends.
	Shutdown time.Duration
	// Idle is the time after which a server is stopped that nobody uses, 0 for never.
	Idle time.Duration
	// InFlight is how many requests may be under way with a server at once.
	InFlight int64
	// Definitions is how many bytes an answer of open_toolbox may have when the
	// workbench chooses how much of each tool it shows. It bounds all servers of a
	// toolbox together.
	Definitions int64
	// MessageSize is the largest message in bytes, each way.
	MessageSize int64
}

// DefaultLimits returns the limits of a server whose configuration names none.
// The evidence for each is the field's record of cold starts, host timeouts and
// message sizes.
func DefaultLimits() Limits {
	return Limits{
		Connect:     120 * time.Second,
		OpenReply:   45 * time.Second,
		OpenGrace:   5 * time.Second,
		Call:        120 * time.Second,
		CallTotal:   time.Hour,
		InputReply:  10 * time.Minute,
		Shutdown:    3 * time.Second,
		InFlight:    1024,
		Definitions: 16 << 10,
		MessageSize: 32 << 20,
	}
}
