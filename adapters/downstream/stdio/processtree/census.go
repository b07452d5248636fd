package processtree

import (
	"sync"
	"time"
)

// Census takes snapshots for many who need one at about the same time, as when all
// servers end at once: a snapshot costs some milliseconds. The zero value is ready.
// Safe for concurrent use.
type Census struct {
	mu    sync.Mutex
	list  List
	err   error
	taken time.Time
}

// freshness is how old the snapshot of a census may be.
const freshness = 20 * time.Millisecond

// List returns a snapshot that is not older than a moment. It must not be changed.
func (c *Census) List() (List, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.taken) > freshness {
		c.list, c.err = Snapshot()
		c.taken = time.Now()
	}
	return c.list, c.err
}
