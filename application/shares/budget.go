package shares

import (
	"container/heap"
	"container/list"
	"sync"
)

// Order says which of its things a holder gives up.
type Order int

// The orders.
const (
	// Newest is for things that are lost when they are given up: what began last has cost least.
	Newest Order = iota
	// Oldest is for things that lose their worth with time.
	Oldest
)

// Budget bounds the bytes that all holders hold together. When it is used up, the biggest holder
// gives up one of its things after the other, by its order. Safe for concurrent use.
type Budget struct {
	total int64
	order Order

	mu      sync.Mutex // guards the fields below, and those of holders and holdings
	held    int64
	last    uint64
	holders map[string]*holder
	sizes   bySize // of the same holders
}

// holder is one who holds something.
type holder struct {
	name     string
	order    Order
	held     int64
	holdings list.List // of *Holding, the oldest first
	place    int       // in sizes

	// While room is made: what it is going to give up, and whether it has nothing else.
	giving  int64
	isSpent bool
}

// Holding is one thing that somebody holds.
type Holding struct {
	budget  *Budget
	holder  *holder
	number  uint64 // a later holding has a larger one
	size    int64
	giveUp  func() // nil if it is kept
	place   *list.Element
	isOver  bool
	isGiven bool // it was given up
}

// NewBudget returns a budget of that many bytes. The biggest holder gives up its things in that
// order.
func NewBudget(total int64, order Order) *Budget {
	return &Budget{total: total, order: order, holders: map[string]*holder{}}
}

// Begin begins to hold something. It returns false if the holder would be the biggest then and what
// begins now is the next that it would give up. Otherwise callers must call End. giveUp is called at
// most once, on any goroutine, when the holding is given up; it does not count any more by then.
// giveUp must neither wait nor call the budget. It is never called once End or Keep has returned.
func (b *Budget) Begin(name string, size int64, giveUp func()) (*Holding, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	begun := b.addLocked(name, size, giveUp)
	if !b.makeRoomLocked(begun, false) {
		begun.removeLocked()
		return nil, false
	}
	return begun, true
}

// Admit is Begin for what must get in: other things are given up for it, those of its own holder
// too. If that is not enough, the budget is exceeded.
func (b *Budget) Admit(name string, size int64, giveUp func()) *Holding {
	b.mu.Lock()
	defer b.mu.Unlock()
	begun := b.addLocked(name, size, giveUp)
	b.makeRoomLocked(begun, true)
	return begun
}

// Grow adds to the size of a holding. It returns false, and adds nothing, if the holding was given
// up or would be given up for that.
func (h *Holding) Grow(size int64) bool {
	b := h.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	if h.isOver {
		return false
	}
	h.addLocked(size)
	if !b.makeRoomLocked(h, false) {
		h.addLocked(-size)
		return false
	}
	return true
}

// Keep keeps a holding until its End: it counts, but is not given up any more. It returns false if
// it is over.
func (h *Holding) Keep() bool {
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.giveUp = nil
	return !h.isOver
}

// End ends a holding. Further calls have no effect.
func (h *Holding) End() {
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	h.removeLocked()
}

// IsGivenUp reports whether the holding was given up.
func (h *Holding) IsGivenUp() bool {
	h.budget.mu.Lock()
	defer h.budget.mu.Unlock()
	return h.isGiven
}

func (b *Budget) addLocked(name string, size int64, giveUp func()) *Holding {
	of := b.holders[name]
	if of == nil {
		of = &holder{name: name, order: b.order}
		b.holders[name] = of
		heap.Push(&b.sizes, of)
	}
	b.last++
	begun := &Holding{budget: b, holder: of, number: b.last, giveUp: giveUp}
	begun.place = of.holdings.PushBack(begun)
	begun.addLocked(size)
	return begun
}

func (h *Holding) addLocked(size int64) {
	h.size += size
	h.holder.held += size
	h.budget.held += size
	heap.Fix(&h.budget.sizes, h.holder.place)
}

func (h *Holding) removeLocked() {
	if h.isOver {
		return
	}
	h.isOver = true
	h.holder.holdings.Remove(h.place)
	h.addLocked(-h.size)
	if h.holder.holdings.Len() == 0 {
		delete(h.budget.holders, h.holder.name)
		heap.Remove(&h.budget.sizes, h.holder.place)
	}
}

// makeRoomLocked gives up things until the budget is not exceeded, but not the new one if it is
// exempt. It returns false, and gives up nothing, if the new one would have to be given up.
func (b *Budget) makeRoomLocked(fresh *Holding, isExempt bool) bool {
	if b.held <= b.total {
		return true
	}
	var given []*Holding
	next := map[*holder]*list.Element{} // of those that were looked at
	ok := true
	for excess := b.held - b.total; excess > 0; {
		of := b.biggestLocked(fresh.holder)
		place, begun := next[of]
		if !begun {
			place = b.nextOf(of, nil, fresh, isExempt)
		}
		next[of] = place
		if of.isSpent { // then no other holder has anything left to give up
			ok = isExempt
			break
		}
		if place == nil {
			of.isSpent = true
			heap.Fix(&b.sizes, of.place)
			continue
		}
		chosen := place.Value.(*Holding)
		if chosen == fresh {
			ok = false
			break
		}
		given = append(given, chosen)
		excess -= chosen.size
		of.giving += chosen.size
		heap.Fix(&b.sizes, of.place)
		next[of] = b.nextOf(of, place, fresh, isExempt)
	}
	for of := range next {
		of.giving, of.isSpent = 0, false
		heap.Fix(&b.sizes, of.place)
	}
	if !ok {
		return false
	}
	for _, h := range given {
		h.removeLocked()
		h.isGiven = true
		h.giveUp()
	}
	return true
}

// biggestLocked returns the holder that gives something up next: the one of the new thing unless another holds more.
func (b *Budget) biggestLocked(fresh *holder) *holder {
	if biggest := b.sizes[0]; biggest.size() > fresh.size() {
		return biggest
	}
	return fresh
}

// nextOf returns the place of what a holder gives up after another thing, nil for the first or if
// there is nothing else.
func (b *Budget) nextOf(of *holder, after *list.Element, fresh *Holding, isExempt bool) *list.Element {
	step, place := (*list.Element).Prev, of.holdings.Back()
	if b.order == Oldest {
		step, place = (*list.Element).Next, of.holdings.Front()
	}
	if after != nil {
		place = step(after)
	}
	for ; place != nil; place = step(place) {
		if h := place.Value.(*Holding); h.giveUp != nil && (h != fresh || !isExempt) {
			return place
		}
	}
	return nil
}

// size returns how much it holds besides what it is going to give up, or -1 if it has nothing else to give up.
func (of *holder) size() int64 {
	if of.isSpent {
		return -1
	}
	return of.held - of.giving
}

// first returns the number of the first thing that it gives up, 0 for none.
func (of *holder) first() uint64 {
	place := of.holdings.Back()
	if of.order == Oldest {
		place = of.holdings.Front()
	}
	if place == nil {
		return 0
	}
	return place.Value.(*Holding).number
}

// bySize is a heap of holders in the order in which they give up something: those that hold most come first, and among equal
// ones those whose first thing began last. A heap, since there may be as many holders as connections.
type bySize []*holder

// Len implements heap.Interface.
func (s bySize) Len() int { return len(s) }

// Less implements heap.Interface.
func (s bySize) Less(i, j int) bool {
	a, b := s[i].size(), s[j].size()
	return a > b || a == b && s[i].first() > s[j].first()
}

// Swap implements heap.Interface.
func (s bySize) Swap(i, j int) {
	s[i], s[j] = s[j], s[i]
	s[i].place, s[j].place = i, j
}

// Push implements heap.Interface.
func (s *bySize) Push(of any) {
	added := of.(*holder)
	added.place = len(*s)
	*s = append(*s, added)
}

// Pop implements heap.Interface.
func (s *bySize) Pop() any {
	last := len(*s) - 1
	of := (*s)[last]
	(*s)[last] = nil
	*s = (*s)[:last]
	return of
}
