package processtree

import (
	"sync"
	"time"
)

// Table is the system's process table. Callers that need a snapshot at about the same
// time, such as when all servers end together, share one, since taking it costs some
// milliseconds. The zero value is ready to use. Safe for concurrent use.
type Table struct {
	mu    sync.Mutex
	list  List
	err   error
	taken time.Time
	marks map[int]string // by PID, of those processes in the list whose marks were read
}

// maxAge is the time for which the snapshot of a table is used.
const maxAge = 20 * time.Millisecond

// List returns a snapshot that is at most 20 milliseconds old. The caller must not
// change it. Callers wait while one of them takes a snapshot, and share it.
func (t *Table) List() (List, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.taken) > maxAge {
		t.list, t.err = Snapshot()
		t.taken = time.Now()
		clear(t.marks)
	}
	return t.list, t.err
}

// mark returns the mark of a process of the last snapshot, "" for none.
func (t *Table) mark(pid int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	mark, known := t.marks[pid]
	if !known {
		mark = markOf(pid)
		if t.marks == nil {
			t.marks = map[int]string{}
		}
		t.marks[pid] = mark
	}
	return mark
}
