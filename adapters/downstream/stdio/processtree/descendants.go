package processtree

import (
	"slices"
	"sync"
)

// Descendants are programs and every process that was seen to descend from them, or that
// has their mark. A process stays a descendant when its parents end. Safe for concurrent use.
type Descendants struct {
	table    *Table
	programs List

	mu    sync.Mutex
	known List
}

// NewDescendants returns the descendants of programs that were just started. Living searches
// the table for them.
func NewDescendants(table *Table, programs ...Process) *Descendants {
	return &Descendants{table: table, programs: programs, known: slices.Clone(programs)}
}

// Living looks at all processes, remembers new descendants and returns those that
// have not ended. If processes cannot be listed, it returns the same as Remaining.
func (d *Descendants) Living() List {
	list, err := d.table.List()
	if err != nil {
		return d.Remaining()
	}
	marked := d.marked(list)
	d.mu.Lock()
	defer d.mu.Unlock()
	living := list.Tree(slices.Concat(d.known, marked)...)
	for _, process := range living {
		if !slices.ContainsFunc(d.known, process.Is) {
			d.known = append(d.known, process)
		}
	}
	return living
}

// marked returns the processes with the mark of a program. It does not read the environments of
// processes older than the program.
func (d *Descendants) marked(list List) List {
	var marked List
	for _, process := range list.Living() {
		if slices.ContainsFunc(d.programs, func(program Process) bool {
			return program.Mark != "" && process.Started >= program.Started && d.table.mark(process.PID) == program.Mark
		}) {
			marked = append(marked, process)
		}
	}
	return marked
}

// Remaining returns the known descendants that have not ended. It does not look for new
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
