package metrics

import (
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/observe/figures"
	"mcp-workbench/domain"
)

// limits are the upper bounds of the buckets in which durations of calls are counted.
var limits = []time.Duration{
	5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute,
}

const (
	// maxTools is the maximum number of tools that are counted separately. Servers choose the names of tools, and a
	// series takes memory here and in Prometheus until it restarts.
	maxTools = 1000
	// maxIdentities is the maximum number of identities that are counted separately. Authorization servers choose
	// the names of subjects.
	maxIdentities = 1000
	// maxServers is the maximum number of servers that are counted. The configuration names them.
	maxServers = 1 << 16
)

// callCounts counts the calls of tools by server, and by tool and identity if asked to. Safe for concurrent use.
type callCounts struct {
	isByTool, isByIdentity bool

	byServer   figures.Series[domain.ServerID, serverCounts]
	byTool     figures.Series[domain.ToolIdentifier, figures.Calls]
	byIdentity figures.Series[string, figures.Calls]
}

// serverCounts holds the counters of one server.
type serverCounts struct {
	figures.Calls

	arguments, results atomic.Int64
}

// CallerCalls counts the calls of one caller. Safe for concurrent use.
type CallerCalls struct {
	calls    *callCounts
	identity string
}

// CallsOf returns the counters of the page for the calls of an identity, "" for callers without one.
func (p *Page) CallsOf(identity string) CallerCalls { return CallerCalls{&p.calls, identity} }

// Observe implements ports.ActivityObserver. It counts calls of tools that exist, so that names which a caller
// made up do not become names of series. Further tools share the counters of their server's tool without a name, and
// further identities those of callers without one.
func (c CallerCalls) Observe(call domain.Activity) {
	if call.Kind != domain.ActivityCall || call.Unknown {
		return
	}
	server := c.calls.byServer.At(call.Tool.ServerID(), domain.ServerID{}, maxServers)
	server.Count(call.Outcome)
	server.Add(call.Duration)
	server.arguments.Add(int64(call.Sent))
	server.results.Add(int64(call.Received))
	if c.calls.isByTool {
		rest := call.Tool
		rest.Tool = ""
		tool := c.calls.byTool.At(call.Tool, rest, maxTools)
		tool.Count(call.Outcome)
		tool.Add(call.Duration)
	}
	if c.calls.isByIdentity {
		c.calls.byIdentity.At(c.identity, "", maxIdentities).Count(call.Outcome)
	}
}
