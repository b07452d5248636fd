package sharing

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
)

// maxAge is the longest time for which members get a list without asking the server, since some servers
// declare that they report changes but do not.
const maxAge = time.Minute

// tools are the tools that the server listed last. All members share one copy. Safe for concurrent use.
type tools struct {
	mu      sync.Mutex // guards the fields below
	list    domain.ToolList
	until   time.Time // until then list counts as current; zero if it may be out of date
	changes int       // the number of changes that the server reported
}

// listTools returns the tools of the server. It does not ask the server if the last list is current.
func (s *session) listTools(ctx context.Context) (domain.ToolList, error) {
	list, changes, isCurrent := s.tools.current()
	if isCurrent {
		return list, nil
	}
	list, err := s.next.ListTools(ctx)
	if err != nil {
		return list, err
	}
	isWhole := !list.Expires && len(list.Warnings) == 0
	return s.tools.keep(list, changes, isWhole && s.next.Declares("tools", "listChanged")), nil
}

// current returns the last list, the number of reported changes, and whether the list counts as current.
func (t *tools) current() (list domain.ToolList, changes int, isCurrent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.list, t.changes, time.Now().Before(t.until)
}

// keep keeps a list and returns it, with the tools of the last list if they are equal. changes is the number of changes
// that the server had reported when the list was requested. If mayLast is set, the list counts as current unless the
// server has reported more.
func (t *tools) keep(list domain.ToolList, changes int, mayLast bool) domain.ToolList {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.EqualFunc(list.Tools, t.list.Tools, isSameTool) {
		list.Tools = t.list.Tools
	}
	list.Tools = slices.Clip(list.Tools)
	t.list, t.until = list, time.Time{}
	if mayLast && changes == t.changes {
		t.until = time.Now().Add(maxAge)
	}
	return list
}

// markChanged notes that the server reported a change of its tools.
func (t *tools) markChanged() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.changes++
	t.until = time.Time{}
}

func isSameTool(a, b domain.ToolInfo) bool {
	return a.Name == b.Name && a.Shown == b.Shown && a.Adjusted == b.Adjusted && bytes.Equal(a.Definition, b.Definition)
}
