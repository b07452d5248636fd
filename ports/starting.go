package ports

import (
	"context"
	"time"

	"mcp-workbench/domain"
)

// Starting is what a request of a host waits for while servers start.
type Starting struct {
	// Servers are those that are starting. There are none while the request waits for something else, such as a login.
	Servers []domain.ServerID
	// Waited is how long the request has waited, and Limit how long the start of its servers can take.
	Waited, Limit time.Duration
}

// StartReportsKey is the key, in the context of a request, of a func(Starting) that tells the host what the request
// waits for. It is set for hosts that ask for progress and wait longer while they get it.
type StartReportsKey struct{}

// StartReportsOf returns the function that tells the host what the request with that context waits for, nil for none.
func StartReportsOf(ctx context.Context) func(Starting) {
	report, _ := ctx.Value(StartReportsKey{}).(func(Starting))
	return report
}
