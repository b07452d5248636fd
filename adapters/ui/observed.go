package ui

import (
	"context"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
)

const (
	// readWait is how long a page waits for the record, and answerWait how long it waits for workbenches,
	// before it shows the data that is available.
	readWait   = 2 * time.Second
	answerWait = 400 * time.Millisecond
	// statusAge and toolsAge are how long answers are used again.
	statusAge = time.Second
	toolsAge  = 10 * time.Second
	// idleTime is how long the entries of the record are kept after the last request.
	idleTime = 5 * time.Minute
)

// observed has the answers of the sources, which all viewers share. Safe for concurrent use.
type observed struct {
	sources Sources
	log     *slog.Logger
	// ctx ends when the pages are closed.
	ctx       context.Context //nolint:containedctx // shared data outlives each request
	status    cache[[]status.Answer]
	tools     cache[[]Tool]
	summaries summaries

	mu      sync.Mutex
	history *history      // nil while no page is open
	read    chan struct{} // closed once history has all stored entries
	idle    *time.Timer
}

func newObserved(ctx context.Context, sources Sources, log *slog.Logger) *observed {
	o := &observed{sources: sources, log: log, ctx: ctx}
	o.status = cache[[]status.Answer]{age: statusAge, ask: sources.Status}
	o.tools = cache[[]Tool]{age: toolsAge, ask: sources.Tools}
	return o
}

// look returns the history, and whether all stored entries are in it. If no page was open for a while, it begins
// to read them.
func (o *observed) look(ctx context.Context) (*history, bool) {
	o.mu.Lock()
	if o.history == nil {
		o.begin()
	}
	o.idle.Reset(idleTime)
	h, read := o.history, o.read
	o.mu.Unlock()
	waiting, cancel := context.WithTimeout(ctx, readWait)
	defer cancel()
	select {
	case <-read:
		return h, true
	case <-waiting.Done():
		return h, false
	}
}

// begin begins to follow the record until no page has been open for a while. The caller holds the lock.
func (o *observed) begin() {
	h, read := &history{}, make(chan struct{})
	following, stop := context.WithCancel(o.ctx)
	o.history, o.read = h, read
	o.idle = time.AfterFunc(idleTime, func() {
		stop()
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.history == h {
			o.history = nil
		}
	})
	go func() {
		defer stop()
		done := sync.OnceFunc(func() { close(read) })
		defer done()
		if o.sources.Record == nil {
			return
		}
		since := time.Now().Add(-maxSpan())
		if err := o.sources.Record.Follow(following, since, h.add, done); err != nil && following.Err() == nil {
			o.log.Warn("could not read the record of activity", "error", err)
		}
	}()
}

// toolboxes returns the configured toolboxes.
func (o *observed) toolboxes() []domain.Toolbox {
	if o.sources.Toolboxes == nil {
		return nil
	}
	return o.sources.Toolboxes()
}

// stderr returns the last lines of a server's stderr, at most as many as a page shows.
func (o *observed) stderr(ctx context.Context, server domain.ServerID, viewer Viewer) []string {
	const shown = 40
	if o.sources.Stderr == nil {
		return nil
	}
	lines := o.sources.Stderr(ctx, server, viewer)
	return lines[max(len(lines)-shown, 0):]
}

// cache keeps the last answer to a question, which is asked by one goroutine at a time. Safe for concurrent use.
type cache[T any] struct {
	age time.Duration
	ask func(context.Context) T

	mu      sync.Mutex
	answer  T
	at      time.Time
	changed time.Time
	pending chan struct{} // closed when the pending question is answered, nil for none
}

// get returns the last answer. If that is too old, get asks again and waits for the new answer, but not longer
// than wait.
func (c *cache[T]) get(ctx context.Context, wait time.Duration) T {
	if c.ask == nil {
		return c.answer
	}
	c.mu.Lock()
	if time.Since(c.at) < c.age && !c.at.IsZero() {
		defer c.mu.Unlock()
		return c.answer
	}
	if c.pending == nil {
		c.pending = make(chan struct{})
		go c.renew(context.WithoutCancel(ctx), c.pending)
	}
	pending := c.pending
	c.mu.Unlock()
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case <-pending:
	case <-waiting.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answer
}

// changedAt returns when the answer last differed from the one before.
func (c *cache[T]) changedAt() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

func (c *cache[T]) renew(ctx context.Context, pending chan struct{}) {
	answer := c.ask(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !reflect.DeepEqual(answer, c.answer) {
		c.changed = time.Now()
	}
	c.answer, c.at, c.pending = answer, time.Now(), nil
	close(pending)
}

// listedTools returns the tools of all servers, as far as they are known.
func (o *observed) listedTools(ctx context.Context) []Tool { return o.tools.get(ctx, answerWait) }
