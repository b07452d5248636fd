package metrics

import (
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
)

// limits are the upper bounds of the ranges in which the time of calls is counted.
var limits = [...]time.Duration{
	5 * time.Millisecond, 25 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute,
}

// Calls counts the calls of tools by server. The zero value is ready. Safe for concurrent
// use.
type Calls struct {
	mu       sync.RWMutex // guards byServer
	byServer map[domain.ServerID]*counts
}

// counts are those of one server.
type counts struct {
	calls, errors, arguments, results, nanoseconds atomic.Int64
	within                                         [len(limits)]atomic.Int64
}

// Observe implements ports.ActivityObserver. Names that a caller made up do not become names of series.
func (c *Calls) Observe(activity domain.Activity) {
	if activity.Kind == domain.ActivityCall && !activity.Unknown {
		c.of(activity.Tool.ServerID()).add(activity)
	}
}

func (c *Calls) of(server domain.ServerID) *counts {
	c.mu.RLock()
	found := c.byServer[server]
	c.mu.RUnlock()
	if found != nil {
		return found
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if found = c.byServer[server]; found == nil {
		found = &counts{}
		if c.byServer == nil {
			c.byServer = map[domain.ServerID]*counts{}
		}
		c.byServer[server] = found
	}
	return found
}

func (c *counts) add(call domain.Activity) {
	c.calls.Add(1)
	if call.Outcome != domain.OutcomeOK && call.Outcome != domain.OutcomeToolError {
		c.errors.Add(1)
	}
	c.arguments.Add(int64(call.Sent))
	c.results.Add(int64(call.Received))
	c.nanoseconds.Add(int64(call.Took))
	for i, limit := range limits {
		if call.Took <= limit {
			c.within[i].Add(1)
			break
		}
	}
}
