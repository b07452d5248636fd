package metrics

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
)

// limits are the upper bounds of the buckets in which durations of calls are counted.
var limits = [...]time.Duration{
	5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute,
}

// outcomes are counted separately. Any other outcome counts as an error.
var outcomes = [...]domain.Outcome{
	domain.OutcomeOK, domain.OutcomeToolError, domain.OutcomeError, domain.OutcomeRefused, domain.OutcomeCancelled, domain.OutcomeTimeout,
}

// maxTools is the maximum number of tools that are counted separately. Servers choose the names of tools, and a
// series takes memory here and in Prometheus until it restarts.
const maxTools = 1000

// callCounts counts the calls of tools by server, and by tool and identity if asked to. Safe for concurrent use.
type callCounts struct {
	isByTool, isByIdentity bool

	mu         sync.RWMutex // guards the maps
	byServer   map[domain.ServerID]*serverCounts
	byTool     map[domain.ToolIdentifier]*toolCounts
	byIdentity map[string]*toolCounts
}

// serverCounts holds the counters of one server.
type serverCounts struct {
	toolCounts

	arguments, results atomic.Int64
	within             [len(limits)]atomic.Int64
}

// toolCounts holds the counters of one tool or one identity.
type toolCounts struct {
	nanoseconds atomic.Int64
	outcomes    [len(outcomes)]atomic.Int64
}

// find returns the counters of a tool and of its server. Those of the tool are nil if tools are not counted. If there
// are too many tools, it shares counters with other tools of its server.
func (c *callCounts) find(tool domain.ToolIdentifier) (*serverCounts, *toolCounts) {
	c.mu.RLock()
	server, counted := c.byServer[tool.ServerID()], c.byTool[tool]
	c.mu.RUnlock()
	if server != nil && (counted != nil || !c.isByTool) {
		return server, counted
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	server = addTo(&c.byServer, tool.ServerID())
	if !c.isByTool {
		return server, nil
	}
	if c.byTool[tool] == nil && len(c.byTool) >= maxTools {
		tool.Tool = ""
	}
	return server, addTo(&c.byTool, tool)
}

// addTo returns the value of a key, which it adds if it is missing.
func addTo[K comparable, V any](values *map[K]*V, key K) *V {
	if *values == nil {
		*values = map[K]*V{}
	}
	if (*values)[key] == nil {
		(*values)[key] = new(V)
	}
	return (*values)[key]
}

func (c *serverCounts) add(call domain.Activity) {
	c.toolCounts.add(call)
	c.arguments.Add(int64(call.Sent))
	c.results.Add(int64(call.Received))
	for i, limit := range limits {
		if call.Took <= limit {
			c.within[i].Add(1)
			break
		}
	}
}

func (c *toolCounts) add(call domain.Activity) {
	at := slices.Index(outcomes[:], call.Outcome)
	if at < 0 {
		at = slices.Index(outcomes[:], domain.OutcomeError)
	}
	c.outcomes[at].Add(1)
	c.nanoseconds.Add(int64(call.Took))
}

// calls returns the number of calls, and how many of them failed or were answered with an error.
func (c *toolCounts) calls() (calls, errors int64) {
	for i, outcome := range outcomes {
		number := c.outcomes[i].Load()
		calls += number
		if outcome != domain.OutcomeOK && outcome != domain.OutcomeToolError {
			errors += number
		}
	}
	return calls, errors
}
