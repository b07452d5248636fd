package mcpserver

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/ports"
)

// requestContext is the context of one request of the host. It has no deadline, three values at most, and
// ends when the request is answered or cancelled, or the conversation ends. It does what
// context.WithCancel does, without an allocation. Safe for concurrent use.
type requestContext struct {
	mu              sync.Mutex
	ended, hadFirst bool
	done            chan struct{} // made by Done
	// first is called at the end, like the others. Nearly every request has exactly one function,
	// which costs no allocation here. The field is used only once, since the stop function of an
	// earlier use can still be called.
	first func()
	after []*func()
	// transportTrace is the value of ports.TransportTraceKey, "" for none.
	transportTrace string
	// progress is that of the request if its host waits longer while it gets progress, otherwise nil.
	progress func(ports.Progress)
	// lost is called if the host did not read the answer; nil if nothing is to be done then.
	lost func()
}

// Deadline implements context.Context.
func (*requestContext) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Value implements context.Context.
func (c *requestContext) Value(key any) any {
	switch key.(type) {
	case ports.TransportTraceKey:
		if c.transportTrace != "" {
			return c.transportTrace
		}
	case ports.StartReportsKey:
		if c.progress != nil {
			return startReports(c.progress)
		}
	case host.LossKey:
		return c.whenLost
	}
	return nil
}

// whenLost sets the function that is called if the host did not read the answer.
func (c *requestContext) whenLost(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost = f
}

// lose calls the function that whenLost set, since the host did not read the answer.
func (c *requestContext) lose() {
	c.mu.Lock()
	lost := c.lost
	c.lost = nil
	c.mu.Unlock()
	if lost != nil {
		lost()
	}
}

// Done implements context.Context.
func (c *requestContext) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
		if c.ended {
			close(c.done)
		}
	}
	return c.done
}

// Err implements context.Context.
func (c *requestContext) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return context.Canceled
	}
	return nil
}

// AfterFunc is context.AfterFunc for this context. Package context uses it.
func (c *requestContext) AfterFunc(f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended:
		go f()
		return func() bool { return false }
	case !c.hadFirst:
		c.first, c.hadFirst = f, true
		return c.forgetFirst
	}
	entry := &f
	c.after = append(c.after, entry)
	return func() bool { return c.forget(entry) }
}

func (c *requestContext) forgetFirst() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	there := c.first != nil
	c.first = nil
	return there
}

func (c *requestContext) forget(entry *func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.after, entry)
	if i >= 0 {
		c.after = slices.Delete(c.after, i, i+1)
	}
	return i >= 0
}

// end ends the context.
func (c *requestContext) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	c.ended = true
	if c.done != nil {
		close(c.done)
	}
	if c.first != nil {
		go c.first()
	}
	for _, f := range c.after {
		go (*f)()
	}
	c.first, c.after = nil, nil
}
