package status

import (
	"sync"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// maxCounted is the maximum number of servers of a host that are counted.
const maxCounted = 4096

// Numbers counts what happens between one host and its servers, in memory. The zero value is ready. Safe
// for concurrent use.
type Numbers struct {
	last     atomic.Pointer[counts] // of the server that was counted last, which is usually also the next one
	mu       sync.RWMutex           // guards byServer
	byServer map[domain.ServerID]*counts
}

var _ ports.ActivityObserver = (*Numbers)(nil)

// counts are the numbers of one server.
type counts struct {
	server                  domain.ServerID
	calls, errors, restarts atomic.Int64
	times                   histogram
	lastError               atomic.Pointer[Failure]
}

// Observe implements ports.ActivityObserver. It does not count names that a caller made up, nor calls that were
// refused.
func (n *Numbers) Observe(activity domain.Activity) {
	if activity.Unknown || activity.Tool.Server == "" || activity.Outcome == domain.OutcomeRefused {
		return
	}
	counts := n.find(activity.Tool.ServerID())
	if counts == nil {
		return
	}
	failed := activity.Outcome.HasFailed()
	switch activity.Kind {
	case domain.ActivityCall:
		counts.calls.Add(1)
		if failed {
			counts.errors.Add(1)
		}
		if activity.Outcome.IsTimed() {
			counts.times.add(activity.Took)
		}
	case domain.ActivityRestart:
		counts.restarts.Add(1)
	}
	if failed {
		counts.lastError.Store(&Failure{
			Time: activity.Time, Kind: string(activity.Kind), Tool: activity.Tool.Tool, Outcome: string(activity.Outcome), Code: activity.Code,
		})
	}
}

// find returns the counts of a server, nil if there are too many servers.
func (n *Numbers) find(server domain.ServerID) *counts {
	if last := n.last.Load(); last != nil && last.server == server {
		return last
	}
	found := n.findAny(server)
	if found != nil {
		n.last.Store(found)
	}
	return found
}

// findAny is find for a server that was not counted last.
func (n *Numbers) findAny(server domain.ServerID) *counts {
	n.mu.RLock()
	found := n.byServer[server]
	n.mu.RUnlock()
	if found != nil {
		return found
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if found = n.byServer[server]; found != nil || len(n.byServer) >= maxCounted {
		return found
	}
	if n.byServer == nil {
		n.byServer = map[domain.ServerID]*counts{}
	}
	found = &counts{server: server}
	n.byServer[server] = found
	return found
}

// fill writes the numbers of a server into its description.
func (n *Numbers) fill(id domain.ServerID, server *Server) {
	n.mu.RLock()
	counts := n.byServer[id]
	n.mu.RUnlock()
	if counts == nil {
		return
	}
	server.Calls, server.Errors, server.Restarts = counts.calls.Load(), counts.errors.Load(), int(counts.restarts.Load())
	server.LastError = counts.lastError.Load()
	if times := counts.times.quantiles(0.5, 0.95); times != nil {
		server.P50, server.P95 = &times[0], &times[1]
	}
}
