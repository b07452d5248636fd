package metrics

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
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

// Counting returns a tool user that counts the calls of another one.
func (c *Calls) Counting(next ports.ToolUser) ports.ToolUser {
	return &countingUser{calls: c, next: next}
}

type countingUser struct {
	calls *Calls
	next  ports.ToolUser
}

// UseTool implements ports.ToolUser.
func (u *countingUser) UseTool(ctx context.Context, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	begun, sent := time.Now(), len(call.Arguments)
	u.next.UseTool(ctx, tool, call, func(answer ports.Answer, err error) {
		if !isRefused(err) {
			counts := u.calls.of(domain.ServerID{Toolbox: tool.Toolbox, Server: tool.Server})
			counts.add(time.Since(begun), sent, len(answer.Result)+len(answer.Error), err != nil || answer.Error != nil)
		}
		reply(answer, err)
	})
}

// isRefused reports whether a call named something that does not exist or is not open. Its names
// are arbitrary and must not become names of series.
func isRefused(err error) bool {
	return slices.ContainsFunc([]error{
		domain.ErrToolboxNotFound, domain.ErrToolboxNotOpen, domain.ErrServerNotFound, domain.ErrToolNotFound, domain.ErrLockBroken,
	}, func(refusal error) bool { return errors.Is(err, refusal) })
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

func (c *counts) add(took time.Duration, arguments, results int, failed bool) {
	c.calls.Add(1)
	if failed {
		c.errors.Add(1)
	}
	c.arguments.Add(int64(arguments))
	c.results.Add(int64(results))
	c.nanoseconds.Add(int64(took))
	for i, limit := range limits {
		if took <= limit {
			c.within[i].Add(1)
			break
		}
	}
}
