package status

import (
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/observe/figures"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// maxCounted is the maximum number of servers of a host that are counted.
const maxCounted = 4096

// Numbers counts what happens between one host and its servers, in memory. The zero value is ready. Safe
// for concurrent use.
type Numbers struct {
	byServer figures.Series[domain.ServerID, counts]
}

var _ ports.ActivityObserver = (*Numbers)(nil)

// counts are the numbers of one server.
type counts struct {
	figures.Calls

	restarts  atomic.Int64
	lastError atomic.Pointer[Failure]
}

// Observe implements ports.ActivityObserver. It does not count names that a caller made up.
func (n *Numbers) Observe(activity domain.Activity) {
	if activity.Unknown || activity.Tool.Server == "" {
		return
	}
	counts := n.byServer.At(activity.Tool.ServerID(), domain.ServerID{}, maxCounted)
	switch activity.Kind {
	case domain.ActivityCall:
		counts.Count(activity.Outcome)
		if activity.Outcome.IsTimed() {
			counts.Add(activity.Duration)
		}
	case domain.ActivityRestart:
		counts.restarts.Add(1)
	}
	if activity.Outcome.HasFailed() {
		counts.lastError.Store(&Failure{
			Time: activity.Time, Kind: string(activity.Kind), Tool: activity.Tool.Tool, Outcome: string(activity.Outcome), Code: activity.Code,
		})
	}
}

// fill writes the numbers of a server into its description.
func (n *Numbers) fill(id domain.ServerID, server *Server) {
	counts := n.byServer.Find(id)
	if counts == nil {
		return
	}
	server.Calls, server.Restarts, server.LastError = counts.Total(), int(counts.restarts.Load()), counts.lastError.Load()
	server.Errors = counts.Failed()
	if times := counts.Percentiles(); times.Calls > 0 {
		server.P50, server.P95 = milliseconds(times.P50), milliseconds(times.P95)
	}
}

func milliseconds(duration time.Duration) *float64 { return new(duration.Seconds() * 1000) }
