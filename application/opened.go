package application

import (
	"context"
	"maps"
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Opened records which toolboxes a host has opened, and their openings and closings that are under way. A toolbox with
// at least one server that could be reached stays open until it is closed or the program ends. Openings and closings of
// one toolbox take place one after the other, and callers that open a toolbox at the same time share one opening. Safe
// for concurrent use.
type Opened struct {
	mu    sync.RWMutex // guards the fields below; nothing blocks under it
	names map[domain.ToolboxName]struct{}
	last  map[domain.ToolboxName]*opening // the one that began last, until it ends
	asked bool                            // the host asked for an opening
	all   ports.Catalog                   // has the toolboxes that are open as well, nil for none
}

// NewOpened returns an Opened without toolboxes.
func NewOpened() *Opened {
	return &Opened{names: map[domain.ToolboxName]struct{}{}, last: map[domain.ToolboxName]*opening{}}
}

// AllOpened returns an Opened with the toolboxes that the catalog has at any time, for callers that need not
// open them.
func AllOpened(catalog ports.Catalog) *Opened {
	opened := NewOpened()
	opened.all = catalog
	return opened
}

// Add notes that the toolbox is open.
func (o *Opened) Add(toolbox domain.ToolboxName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names[toolbox] = struct{}{}
}

// Names returns the names of the open toolboxes, in any order.
func (o *Opened) Names() []domain.ToolboxName {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return slices.Collect(maps.Keys(o.names))
}

// remove notes that the toolbox is no longer open, and reports whether it was.
func (o *Opened) remove(toolbox domain.ToolboxName) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, open := o.names[toolbox]
	delete(o.names, toolbox)
	return open
}

// Contains reports whether the toolbox is open.
func (o *Opened) Contains(toolbox domain.ToolboxName) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, open := o.names[toolbox]
	return open || o.all != nil
}

// IsFirst reports whether the host has neither opened a toolbox yet nor asked for it.
func (o *Opened) IsFirst() bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return !o.asked && len(o.names) == 0
}

// opening is one toolbox being opened or closed.
type opening struct {
	kind     openingKind
	allowed  chan struct{} // closed when its servers may be connected to, or when it is closed
	finished chan struct{} // closed when the fields below are set
	opened   domain.OpenedToolbox
	err      error
}

// openingKind says what an opening does.
type openingKind int

const (
	// opens connects to all servers of a toolbox.
	opens openingKind = iota
	// admits opens a toolbox for a call, and connects to none of its servers.
	admits
	// closes closes a toolbox.
	closes
)

// open waits for the opening of the toolbox that is under way, or begins one: allow lets its servers be connected to,
// and do connects to them. The opening belongs to all callers that wait for it, so the context bounds the wait only.
func (o *Opened) open(
	ctx context.Context, name domain.ToolboxName, allow func(), do func(context.Context) (domain.OpenedToolbox, error),
) (domain.OpenedToolbox, error) {
	if err := ctx.Err(); err != nil {
		return domain.OpenedToolbox{}, err
	}
	current := o.current(context.WithoutCancel(ctx), name, allow, do)
	select {
	case <-current.finished:
		opened := current.opened
		opened.Servers = slices.Clone(opened.Servers)
		return opened, current.err
	case <-ctx.Done():
		return domain.OpenedToolbox{}, ctx.Err()
	}
}

func (o *Opened) current(
	ctx context.Context, name domain.ToolboxName, allow func(), do func(context.Context) (domain.OpenedToolbox, error),
) *opening {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = true
	if current, ok := o.last[name]; ok && current.kind == opens {
		return current
	}
	begun := &opening{kind: opens}
	o.beginLocked(name, begun, allow, func() { begun.opened, begun.err = do(ctx) })
	return begun
}

// admit waits until the servers of the toolbox may be connected to: for the beginning of an opening, or for allow, which
// it calls if none is under way.
func (o *Opened) admit(ctx context.Context, name domain.ToolboxName, allow func()) error {
	select {
	case <-o.admission(name, allow).allowed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (o *Opened) admission(name domain.ToolboxName, allow func()) *opening {
	o.mu.Lock()
	defer o.mu.Unlock()
	if current, ok := o.last[name]; ok && current.kind != closes {
		return current
	}
	begun := &opening{kind: admits}
	o.beginLocked(name, begun, allow, func() {})
	return begun
}

// close closes the toolbox once its earlier openings and closings have ended. The
// context bounds the wait only.
func (o *Opened) close(ctx context.Context, name domain.ToolboxName, closing func()) error {
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
func (o *Opened) afterwards(name domain.ToolboxName, do func()) (done <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	begun := &opening{kind: closes}
	o.beginLocked(name, begun, do, func() {})
	return begun.finished
}

// beginLocked runs allow and then do for a toolbox once the openings and closings before it have ended.
func (o *Opened) beginLocked(name domain.ToolboxName, begun *opening, allow, do func()) {
	begun.allowed, begun.finished = make(chan struct{}), make(chan struct{})
	before := o.last[name]
	o.last[name] = begun
	go func() {
		defer close(begun.finished)
		if before != nil {
			<-before.finished
		}
		allow()
		close(begun.allowed)
		do()
		o.mu.Lock()
		if o.last[name] == begun {
			delete(o.last, name)
		}
		o.mu.Unlock()
	}()
}
