package application

import (
	"context"
	"slices"
	"sync"

	"mcp-workbench/domain"
)

// openings are the toolboxes that are being opened, each once at a time, or
// closed. What is begun for one toolbox takes place one after the other. The zero
// value is ready. Safe for concurrent use.
type openings struct {
	mu   sync.Mutex
	last map[domain.ToolboxName]*opening // the one begun last, until it ends
}

// opening is one toolbox being opened or closed.
type opening struct {
	closes   bool
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
	if current, ok := o.last[name]; ok && !current.closes {
		return current
	}
	begun := &opening{}
	o.begin(name, begun, func() { begun.opened, begun.err = open(ctx) })
	return begun
}

// follow closes the toolbox once what is under way for it has ended. The context
// bounds the wait only.
func (o *openings) follow(ctx context.Context, name domain.ToolboxName, closing func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	begun := &opening{closes: true}
	o.mu.Lock()
	o.begin(name, begun, closing)
	o.mu.Unlock()
	select {
	case <-begun.finished:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin has something done for a toolbox once what was begun before it is over.
// The lock is held.
func (o *openings) begin(name domain.ToolboxName, begun *opening, do func()) {
	begun.finished = make(chan struct{})
	before := o.last[name]
	if o.last == nil {
		o.last = map[domain.ToolboxName]*opening{}
	}
	o.last[name] = begun
	go func() {
		defer close(begun.finished)
		if before != nil {
			<-before.finished
		}
		do()
		o.mu.Lock()
		if o.last[name] == begun {
			delete(o.last, name)
		}
		o.mu.Unlock()
	}()
}
