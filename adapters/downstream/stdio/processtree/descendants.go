package processtree

import (
	"slices"
	"sync"
)

// Descendants are programs and every process that was seen to descend from them. A
// process stays a descendant when its parents end. Safe for concurrent use.
type Descendants struct {
	table *Table

	mu    sync.Mutex
	known List
}

// NewDescendants returns the descendants of programs of which nothing else is known
// yet. Living looks for them in the table.
func NewDescendants(table *Table, programs ...Process) *Descendants {
	return &Descendants{table: table, known: programs}
}

// Living looks at all processes, remembers new descendants and returns those that
// have not ended. If processes cannot be listed, it returns the same as Remaining.
func (d *Descendants) Living() List {
	list, err := d.table.List()
	if err != nil {
		return d.Remaining()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	living := list.Tree(d.known...)
	for _, process := range living {
		if !slices.ContainsFunc(d.known, process.Is) {
			d.known = append(d.known, process)
		}
	}
	return living
}

// Remaining returns the known descendants that have not ended. It looks for no new
// ones, so it costs less than Living.
func (d *Descendants) Remaining() List {
	var remaining List
	d.mu.Lock()
	known := slices.Clone(d.known)
	d.mu.Unlock()
	for _, process := range known {
		if found, err := Look(process.PID); err == nil && found.Is(process) && !found.Dead {
			remaining = append(remaining, found)
		}
	}
	return remaining
}
