package mcpserver

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/ports"
)

// requestContext is the context of one request of the host. It has no deadline, one value at most, and
// ends when the request is answered or cancelled, or the conversation ends. It does what
// context.WithCancel does, without an allocation. Safe for concurrent use.
type requestContext struct {
	mu    sync.Mutex
	ended bool
	done  chan struct{} // made by Done
	// first is called at the end, like the others. Nearly every request has exactly one function,
	// which costs no allocation here. The field is used once, since stop can be called twice.
	first    func()
	hadFirst bool
	after    []*func()
	// transportTrace is the value of ports.TransportTraceKey, "" for none.
	transportTrace string
}

// Deadline implements context.Context.
func (*requestContext) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Value implements context.Context.
func (c *requestContext) Value(key any) any {
	if _, ok := key.(ports.TransportTraceKey); ok && c.transportTrace != "" {
		return c.transportTrace
	}
	return nil
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
