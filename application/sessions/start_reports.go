package sessions

import (
	"context"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reportPeriod is the time between two reports to a host whose request waits for a start. Hosts that take progress for
// a sign of life give a request up after 20 seconds or more without it.
const reportPeriod = 5 * time.Second

// ReportStarts tells the host of a request regularly which servers are starting, if the context says that it wants to
// know, until end is called. No report follows the return of end. Limit is how long a start can take.
func ReportStarts(ctx context.Context, limit time.Duration, starting func() []domain.ServerID) (end func()) {
	report := ports.StartReportsOf(ctx)
	if report == nil {
		return func() {}
	}
	begun, ended, idle := time.Now(), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(idle)
		ticker := time.NewTicker(reportPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				report(ports.Starting{Servers: starting(), Waited: time.Since(begun), Limit: limit})
			case <-ended:
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		close(ended)
		<-idle
	}
}
