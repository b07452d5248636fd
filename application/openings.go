package application

import (
	"context"
	"slices"
	"sync"

	"mcp-workbench/domain"
)

// Openings are the openings and closings of toolboxes that are under way. Those of
// one toolbox take place one after the other, and callers that open a toolbox at the
// same time share one opening. The zero value is ready. Safe for concurrent use.
type Openings struct {
	mu   sync.Mutex                      // guards last
	last map[domain.ToolboxName]*opening // the one that began last, until it ends
}

// opening is one toolbox being opened or closed.
type opening struct {
	closes   bool
	finished chan struct{} // closed when the fields below are set
	opened   domain.OpenedToolbox
	err      error
}

// open waits for the opening of the toolbox that is under way, or begins one. The
// opening belongs to all callers that wait for it, so the context bounds the wait only.
func (o *Openings) open(
	ctx context.Context, name domain.ToolboxName, do func(context.Context) (domain.OpenedToolbox, error),
) (domain.OpenedToolbox, error) {
	if err := ctx.Err(); err != nil {
		return domain.OpenedToolbox{}, err
	}
	current := o.current(context.WithoutCancel(ctx), name, do)
	select {
	case <-current.finished:
		opened := current.opened
		opened.Servers = slices.Clone(opened.Servers)
		return opened, current.err
	case <-ctx.Done():
		return domain.OpenedToolbox{}, ctx.Err()
	}
}

func (o *Openings) current(
	ctx context.Context, name domain.ToolboxName, do func(context.Context) (domain.OpenedToolbox, error),
) *opening {
	o.mu.Lock()
	defer o.mu.Unlock()
	if current, ok := o.last[name]; ok && !current.closes {
		return current
	}
	begun := &opening{}
	o.beginLocked(name, begun, func() { begun.opened, begun.err = do(ctx) })
	return begun
}

// close closes the toolbox once its earlier openings and closings have ended. The
// context bounds the wait only.
func (o *Openings) close(ctx context.Context, name domain.ToolboxName, closing func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-o.afterwards(name, closing):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// afterwards runs do after the openings and closings of the toolbox that are under way, and
// before later ones. It does not wait, and returns a channel that is closed when do has
// returned.
func (o *Openings) afterwards(name domain.ToolboxName, do func()) (done <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	begun := &opening{closes: true}
	o.beginLocked(name, begun, do)
	return begun.finished
}

// beginLocked runs do for a toolbox once the openings and closings before it have ended.
func (o *Openings) beginLocked(name domain.ToolboxName, begun *opening, do func()) {
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
