package shares

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrBusy means that too much waits already.
var ErrBusy = errors.New("busy")

// Turns let some things run at the same time. What waits begins in turns among the holders: first
// those with nothing running, then those whose last turn is longest ago. Safe for concurrent use.
type Turns struct {
	atOnce, each int

	mu      sync.Mutex // guards the fields below, and all of queues and turns
	waiting *Budget    // of a byte each
	running int
	last    uint64
	queues  map[string]*queue
}

// queue holds the turns of one holder.
type queue struct {
	name    string
	running int
	served  uint64  // when its last turn began
	waiting []*turn // the first one first
}

// turn is one thing that waits or runs.
type turn struct {
	queue   *queue
	number  uint64
	place   *Holding      // among all that waits
	begun   chan struct{} // closed when it may run
	refused chan struct{} // closed when it gives up waiting
}

// NewTurns returns turns of which some are taken at the same time. Each holder can have so many
// waiting besides, 0 for no bound, and all holders together so many; beyond that, the holder with
// most gives up what began to wait last.
func NewTurns(atOnce, eachWaiting, allWaiting int) *Turns {
	return &Turns{atOnce: atOnce, each: eachWaiting, waiting: NewBudget(int64(allWaiting), Newest), queues: map[string]*queue{}}
}

// Take waits for a turn. Callers call end when it is over; further calls have no effect.
//
// Failures: [ErrBusy]; the context's cause.
func (t *Turns) Take(ctx context.Context, holder string) (end func(), err error) {
	taken, err := t.join(holder)
	if err != nil {
		return nil, err
	}
	end = sync.OnceFunc(func() { t.leave(taken) })
	select {
	case <-taken.begun:
		return end, nil
	case <-taken.refused:
		return nil, ErrBusy
	case <-ctx.Done():
		end()
		return nil, fmt.Errorf("wait for a turn: %w", context.Cause(ctx))
	}
}

// join begins a turn, or to wait for one.
func (t *Turns) join(name string) (*turn, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.queues[name]
	if of == nil {
		of = &queue{name: name}
		t.queues[name] = of
	}
	defer t.tidyLocked(of)
	t.last++
	joined := &turn{queue: of, number: t.last, begun: make(chan struct{}), refused: make(chan struct{})}
	if t.running < t.atOnce { // then nothing waits
		t.beginLocked(joined)
		return joined, nil
	}
	if t.each > 0 && len(of.waiting) >= t.each {
		return nil, ErrBusy
	}
	place, ok := t.waiting.Begin(name, 1, func() {
		joined.queue.remove(joined)
		close(joined.refused)
		t.tidyLocked(joined.queue)
	})
	if !ok {
		return nil, ErrBusy
	}
	joined.place = place
	of.waiting = append(of.waiting, joined)
	return joined, nil
}

// leave ends a turn, or the wait for it.
func (t *Turns) leave(left *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-left.begun:
		t.running--
		left.queue.running--
	default:
		if left.queue.remove(left) {
			left.place.End()
		}
	}
	t.tidyLocked(left.queue)
	for t.running < t.atOnce {
		next := t.nextLocked()
		if next == nil {
			return
		}
		next.queue.remove(next)
		next.place.End()
		t.beginLocked(next)
	}
}

func (t *Turns) beginLocked(begun *turn) {
	t.last++
	begun.queue.served = t.last
	begun.queue.running++
	t.running++
	close(begun.begun)
}

// nextLocked returns what may run next, nil if nothing waits.
func (t *Turns) nextLocked() (next *turn) {
	for _, of := range t.queues {
		if len(of.waiting) > 0 && (next == nil || of.isBefore(next.queue)) {
			next = of.waiting[0]
		}
	}
	return next
}

// isBefore reports whether the next turn of a queue comes before that of another one.
func (q *queue) isBefore(other *queue) bool {
	switch {
	case q.running != other.running:
		return q.running < other.running
	case q.served != other.served:
		return q.served < other.served
	}
	return q.waiting[0].number < other.waiting[0].number
}

// tidyLocked forgets a holder with nothing under way.
func (t *Turns) tidyLocked(of *queue) {
	if of.running == 0 && len(of.waiting) == 0 && t.queues[of.name] == of {
		delete(t.queues, of.name)
	}
}

// remove removes what waits, and reports whether it did wait.
func (q *queue) remove(waiting *turn) bool {
	i := slices.Index(q.waiting, waiting)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}
