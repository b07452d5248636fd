package host

import (
	"slices"
	"sync"
)

// entries are values in the order in which they were added. Safe for concurrent use.
type entries[T comparable] struct {
	mu   sync.Mutex
	list []T
}

func (e *entries[T]) add(entry T) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, entry)
}

// remove removes an entry and reports whether it was there.
func (e *entries[T]) remove(entry T) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	i := slices.Index(e.list, entry)
	if i >= 0 {
		e.list = slices.Delete(e.list, i, i+1)
	}
	return i >= 0
}

// values returns a copy of the entries, oldest first.
func (e *entries[T]) values() []T {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.list)
}

// newest returns the newest entry that fits, the zero value if there is none.
func (e *entries[T]) newest(fits func(T) bool) (found T) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, entry := range slices.Backward(e.list) {
		if fits(entry) {
			return entry
		}
	}
	return found
}
