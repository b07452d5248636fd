package domain

import "time"

// Limits bound the time, memory and requests of one server. A duration or size of 0 means
// "no limit" only where the comment says so.
type Limits struct {
	// Connect is the time from the start of a server until its tools are listed.
	Connect time.Duration
	// Secret is the time for a command that prints a secret.
	Secret time.Duration
	// Registry is the time for one answer of the registry of MCP servers, which only commands ask.
	Registry time.Duration
	// OpenReply is the time after which opening a toolbox answers with the servers that are up.
	OpenReply time.Duration
	// OpenGrace is the time for which opening a toolbox waits for the server once another one is
	// up, unless the server needs longer for a known reason.
	OpenGrace time.Duration
	// Call is the longest time a server can be silent during a call, 0 for no limit.
	Call time.Duration
	// CallTotal is the total time of a call, however much progress it reports, 0 for no limit.
	CallTotal time.Duration
	// InputReply is the longest time a host can take to continue a call in which the server asked for
	// input.
	InputReply time.Duration
	// Shutdown is the time for a server to exit when the workbench exits.
	Shutdown time.Duration
	// Idle is the time after which an unused server is stopped, 0 for never.
	Idle time.Duration
	// InFlight is the maximum number of concurrent requests to a server.
	InFlight int64
	// Definitions is the maximum size, in bytes, of an answer of open_toolbox when the workbench
	// chooses how much of each tool it shows. It is for all servers of a toolbox together.
	Definitions int64
	// Result is how many bytes of a result's text a model is shown with ResultsFit.
	Result int64
	// MessageSize is the largest message in bytes, each way.
	MessageSize int64
	// Arriving, UnderWay and Sending bound, in bytes, the messages that arrive over HTTP, the requests
	// that are not answered yet, and the answers that hosts have not read yet, of all hosts together.
	Arriving, UnderWay, Sending int64
	// KeptResults bounds, in bytes, the results that are kept for read_result, of all hosts together.
	KeptResults int64
}

// DefaultLimits returns the limits of a server without configured ones. They are based on reported
// cold starts, host timeouts and message sizes.
func DefaultLimits() Limits {
	return Limits{
		Connect:     120 * time.Second,
		Secret:      10 * time.Second,
		Registry:    10 * time.Second,
		OpenReply:   18 * time.Second, // several libraries give up a call after 20
		OpenGrace:   5 * time.Second,
		Call:        120 * time.Second,
		CallTotal:   time.Hour,
		InputReply:  10 * time.Minute,
		Shutdown:    3 * time.Second,
		InFlight:    1024,
		Definitions: 16 << 10,
		Result:      40_000,
		MessageSize: 32 << 20,
		// Four of the largest messages: one counts twice while it arrives, and each of two callers has
		// half of it.
		Arriving: 128 << 20,
		UnderWay: 128 << 20,
		// Twice as much, since hosts take longer to read than to write.
		Sending: 256 << 20,
		// Those of eight hosts that keep as much as a host can, or 20 of 200 KB for each of 64 hosts.
		KeptResults: 256 << 20,
	}
}
