package sharing

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// maxWaiting is the number of deliveries that may wait for a host before the server has to
	// wait.
	maxWaiting = 256
	// patience is how long the server waits for a host, once. After that the host gets no
	// log messages and progress until it has read everything else.
	patience = time.Second
)

// inbox passes on messages of the server to one host, in order. A host that does not read delays
// others only briefly. The inbox has a goroutine only while deliveries wait. The zero value is
// empty. Safe for concurrent use.
type inbox struct {
	mu      sync.Mutex // guards the fields below
	waiting []delivery
	working bool
	behind  bool          // the server has waited for the host in vain
	room    chan struct{} // closed when a delivery was passed on; nil if no caller waits for that
	empty   chan struct{} // closed when working ends; nil if no caller waits for that
}

// delivery is one message of the server.
type delivery struct {
	pass func() // it may wait for the host
	// same is equal for deliveries of which only one has to arrive, "" for one that always has to.
	same    string
	mayDrop bool
}

// put adds a delivery. It reports false if the delivery was dropped. It blocks only for deliveries
// that may be dropped.
func (i *inbox) put(message delivery) bool {
	if message.mayDrop && !i.awaitRoom() {
		return false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	isThere := func(other delivery) bool { return other.same == message.same }
	if len(i.waiting) >= maxWaiting && message.same != "" && slices.ContainsFunc(i.waiting, isThere) {
		return true
	}
	i.waiting = append(i.waiting, message)
	if !i.working {
		i.working = true
		go i.work()
	}
	return true
}

// awaitRoom waits for room, up to patience, and reports whether there is some.
func (i *inbox) awaitRoom() bool {
	var late <-chan time.Time
	for {
		room, isThere := i.hasRoom(false)
		if room == nil {
			return isThere
		}
		if late == nil {
			timer := time.NewTimer(patience)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case <-room:
		case <-late:
			_, isThere = i.hasRoom(true)
			return isThere
		}
	}
}

// hasRoom reports whether there is room. If there is none, it returns a channel that is closed
// when there may be, nil for a host that the server no longer waits for.
func (i *inbox) hasRoom(late bool) (room <-chan struct{}, isThere bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.waiting) < maxWaiting && !i.behind {
		return nil, true
	}
	i.behind = i.behind || late
	if i.behind {
		return nil, false
	}
	if i.room == nil {
		i.room = make(chan struct{})
	}
	return i.room, false
}

func (i *inbox) work() {
	for {
		message, more := i.next()
		if !more {
			return
		}
		message.pass()
	}
}

func (i *inbox) next() (message delivery, more bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.room != nil {
		close(i.room)
		i.room = nil
	}
	if len(i.waiting) == 0 {
		i.working, i.waiting, i.behind = false, nil, false
		if i.empty != nil {
			close(i.empty)
			i.empty = nil
		}
		return delivery{}, false
	}
	message, i.waiting = i.waiting[0], i.waiting[1:]
	return message, true
}

// drain waits until no delivery is left, or until the context ends.
func (i *inbox) drain(ctx context.Context) {
	i.mu.Lock()
	if i.working && i.empty == nil {
		i.empty = make(chan struct{})
	}
	empty := i.empty
	i.mu.Unlock()
	if empty == nil {
		return
	}
	select {
	case <-empty:
	case <-ctx.Done():
	}
}
