package processtree

import (
	"slices"
	"sync"
)

// Family is a program and everything that was seen to belong to it. What it has
// started stays in it, whatever becomes of the parents. Safe for concurrent use.
type Family struct {
	census *Census

	mu      sync.Mutex
	members List
}

// NewFamily returns the family of programs of which nothing else is known yet. Its
// members are looked for in the census.
func NewFamily(census *Census, programs ...Process) *Family {
	return &Family{census: census, members: programs}
}

// Living looks at all processes, and returns the living ones of the family. When
// processes cannot be listed it returns those that were seen before.
func (f *Family) Living() List {
	list, err := f.census.List()
	if err != nil {
		return f.Remaining()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	living := list.Tree(f.members...)
	for _, process := range living {
		if !slices.ContainsFunc(f.members, process.Is) {
			f.members = append(f.members, process)
		}
	}
	return living
}

// Remaining returns those of the family that were seen before and still live. It
// costs less than Living.
func (f *Family) Remaining() List {
	var remaining List
	f.mu.Lock()
	members := slices.Clone(f.members)
	f.mu.Unlock()
	for _, member := range members {
		if found, err := Look(member.PID); err == nil && found.Is(member) && !found.Dead {
			remaining = append(remaining, found)
		}
	}
	return remaining
}
