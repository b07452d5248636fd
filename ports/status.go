package ports

import (
	"context"
	"time"

	"mcp-workbench/domain"
)

// ServerProcess is the program of a server that runs, or ran, on this machine. Safe for concurrent
// use.
type ServerProcess interface {
	// PID returns the ID of its process.
	PID() int
	// Memory returns how many bytes of memory the program and its descendants use. Known is false if
	// the program has ended, and on systems where memory is not measured. Memory can take milliseconds.
	Memory() (size int64, known bool)
	// Log returns the kept lines of its standard error whose numbers are higher than after, oldest
	// first, without secrets and escaped for a terminal, and the number of the last line. Lines are
	// counted from 1. Only the latest lines are kept, so lines after that number can be missing.
	Log(after int) (lines []string, last int)
}

// ServerStatus says what a server is doing for one host.
type ServerStatus struct {
	Server domain.Server
	// State is a sessions.State, such as "running".
	State string
	// Since is when the session of a running server began, or when a starting server began to start,
	// otherwise the zero time.
	Since time.Time
	// Process is the program of the last start, and Earlier that of the start before it; nil for none.
	Process, Earlier ServerProcess
}

// ServerSessions are the servers of one host. Safe for concurrent use.
type ServerSessions interface {
	// Statuses calls each once for every server that was needed so far, in any order. The function must
	// not use the sessions.
	Statuses(each func(ServerStatus))
	// BeginRestart ends the session or the start of a server, and returns a function that starts the
	// server again and waits for the outcome. Calls under way fail as if the server had been lost, and
	// its failures are forgotten. BeginRestart returns nil if the server neither runs nor starts nor
	// has failed, and if it cannot be started now.
	BeginRestart(server domain.ServerID) (finish func(ctx context.Context) error)
}
