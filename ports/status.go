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
	// Memory returns how many bytes of memory the program and its descendants hold. Known is false if
	// the program has ended, and on systems where memory is not measured. It can take milliseconds.
	Memory() (size int64, known bool)
	// Log returns the last lines that it wrote to its standard error that have higher numbers than
	// after, oldest first, without secrets and fit for a terminal, and the number of the last line.
	// Lines are counted from 1. Only the latest lines are kept, so numbers can be missing.
	Log(after int) (lines []string, last int)
}

// ServerStatus says what a server is doing for one host.
type ServerStatus struct {
	Server domain.Server
	// State is one of those of package sessions, such as "running".
	State string
	// Since is when the session of a running server began, or when a starting server began to start,
	// otherwise the zero time.
	Since time.Time
	// Process is that of the last start, and Earlier that of the start before; nil for none.
	Process, Earlier ServerProcess
}

// ServerSessions are the servers of one host. Safe for concurrent use.
type ServerSessions interface {
	// Statuses calls each with every server that was needed so far, in any order. Each must not use the
	// sessions.
	Statuses(each func(ServerStatus))
	// BeginRestart ends the session or the start of a server, and returns a function that starts it
	// again and waits for the outcome. The server's calls under way fail as if it had been lost, and its
	// failures are forgotten. It returns nil for a server that does not run, unless it failed.
	BeginRestart(server domain.ServerID) (finish func(ctx context.Context) error)
}
