package domain

import "time"

// Limits bound what one server may take: time, bytes, places. A duration or
// size of 0 means "no limit" only where the comment says so.
type Limits struct {
	// Connect is the time from the start of a server to its listed tools.
	Connect time.Duration
	// OpenReply is the time after which opening a toolbox answers with what is up.
	OpenReply time.Duration
	// Call is the time that a call may take, 0 for no limit.
	Call time.Duration
	// Shutdown is the time in which a server is gone when the workbench ends.
	Shutdown time.Duration
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
		Call:        120 * time.Second,
		Shutdown:    3500 * time.Millisecond,
		MessageSize: 10 << 20,
	}
}
