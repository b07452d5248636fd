package application

import (
	"context"
	"slices"
	"sync"

	"mcp-workbench/domain"
)

// openings are the toolboxes that are being opened, each once at a time. The zero
// value is ready. Safe for concurrent use.
type openings struct {
	mu       sync.Mutex
	underWay map[domain.ToolboxName]*opening
}

// opening is one toolbox being opened.
type opening struct {
	finished chan struct{} // closed when the fields below are set
	opened   domain.OpenedToolbox
	err      error
}

// join waits for the opening of the toolbox that is under way, or begins one. It
// belongs to all who wait for it, so the context bounds the wait only.
func (o *openings) join(
	ctx context.Context, name domain.ToolboxName, open func(context.Context) (domain.OpenedToolbox, error),
) (domain.OpenedToolbox, error) {
	if err := ctx.Err(); err != nil {
		return domain.OpenedToolbox{}, err
	}
	current := o.current(context.WithoutCancel(ctx), name, open)
	select {
	case <-current.finished:
		opened := current.opened
		opened.Servers = slices.Clone(opened.Servers)
		return opened, current.err
	case <-ctx.Done():
		return domain.OpenedToolbox{}, ctx.Err()
	}
}

func (o *openings) current(
	ctx context.Context, name domain.ToolboxName, open func(context.Context) (domain.OpenedToolbox, error),
) *opening {
	o.mu.Lock()
	defer o.mu.Unlock()
	if current, ok := o.underWay[name]; ok {
		return current
	}
	begun := &opening{finished: make(chan struct{})}
	if o.underWay == nil {
		o.underWay = map[domain.ToolboxName]*opening{}
	}
	o.underWay[name] = begun
	go func() {
		defer close(begun.finished)
		begun.opened, begun.err = open(ctx)
		o.mu.Lock()
		delete(o.underWay, name)
		o.mu.Unlock()
	}()
	return begun
}
