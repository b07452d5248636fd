package sharing

import (
	"container/list"
	"context"
	"sync"
	"time"

	"mcp-workbench/ports"
)

const (
	// maxWaiting and maxSize, in bytes, bound what may wait for a host and can be dropped. One message
	// may be longer if it waits alone. Answers are bounded by the requests of the host.
	maxWaiting = 256
	maxSize    = 1 << 20
	// patience is how long the server waits for hosts, once. After that a host gets no log messages and
	// progress, and only the newest notices, until it has read everything else.
	patience = time.Second
)

// inbox passes on messages of the server to one host, in order. A host that does not read delays
// others only briefly. The inbox has a goroutine only while deliveries wait. The zero value is
// empty. Safe for concurrent use.
type inbox struct {
	mu       sync.Mutex // guards the fields below
	waiting  list.List  // of delivery, the oldest first
	optional int        // how many of them need not arrive
	size     int        // of those that need not arrive, in bytes
	notices  map[subject]*list.Element
	working  bool
	behind   bool          // the server has waited for the host in vain
	room     chan struct{} // closed when a delivery was passed on; nil if no caller waits for that
	empty    chan struct{} // closed when working ends; nil if no caller waits for that
}

// delivery is one message of the server.
type delivery struct {
	pass     func() // it may wait for the host
	priority priority
	subject  subject // of a notice, of which only the newest one has to arrive; zero for any other message
	size     int     // in bytes, unless it always arrives
}

// subject is the list, or the named resource or task, of a notice.
type subject struct {
	kind ports.NotificationKind
	name string
}

// priority says what becomes of a delivery to a host that is behind.
type priority int

const (
	always priority = iota // it arrives
	newest                 // it replaces the oldest one that does not always arrive
	least                  // it is dropped
)

// put adds a delivery, and returns those that are dropped for it, or the delivery itself. If there is
// no room, it waits until the context ends.
func (i *inbox) put(wait context.Context, message delivery) (dropped []delivery) {
	for {
		isLate := wait.Err() != nil
		dropped, room := i.offer(message, isLate)
		if room == nil {
			return dropped
		}
		select {
		case <-room:
		case <-wait.Done():
		}
	}
}

// offer is put without a wait. If it is worth to wait for room, it returns a channel that is closed when
// there may be some. It is not for a host that is behind, and isLate says that the server waited long enough.
func (i *inbox) offer(message delivery, isLate bool) (dropped []delivery, room <-chan struct{}) {
	i.mu.Lock()
	defer i.mu.Unlock()
	earlier := i.notices[message.subject]
	if message.priority == always || !i.behind && i.fitsLocked(message, earlier) {
		i.addLocked(message, earlier)
		return nil, nil
	}
	if !i.behind && !isLate {
		if i.room == nil {
			i.room = make(chan struct{})
		}
		return nil, i.room
	}
	i.behind = true
	if message.priority == least {
		return []delivery{message}, nil
	}
	for !i.fitsLocked(message, earlier) {
		oldest := i.waiting.Front()
		for oldest.Value.(delivery).priority == always {
			oldest = oldest.Next()
		}
		if oldest == earlier {
			earlier = nil // the newer one is added at the end
		} else {
			dropped = append(dropped, oldest.Value.(delivery))
		}
		i.removeLocked(oldest)
	}
	i.addLocked(message, earlier)
	return dropped, nil
}

// fitsLocked reports whether there is room for a delivery in place of an earlier one, nil for none.
func (i *inbox) fitsLocked(message delivery, earlier *list.Element) bool {
	number, size := i.optional, i.size
	if earlier != nil {
		number, size = number-1, size-earlier.Value.(delivery).size
	}
	return number == 0 || number < maxWaiting && size+message.size <= maxSize
}

// addLocked adds a delivery, in place of an earlier one if that is not nil.
func (i *inbox) addLocked(message delivery, earlier *list.Element) {
	if earlier != nil {
		i.size += message.size - earlier.Value.(delivery).size
		earlier.Value = message
		return
	}
	i.countLocked(message, 1)
	place := i.waiting.PushBack(message)
	if message.subject != (subject{}) {
		if i.notices == nil {
			i.notices = map[subject]*list.Element{}
		}
		i.notices[message.subject] = place
	}
	if !i.working {
		i.working = true
		go i.work()
	}
}

// removeLocked removes a delivery, and returns it.
func (i *inbox) removeLocked(place *list.Element) delivery {
	message := i.waiting.Remove(place).(delivery)
	delete(i.notices, message.subject)
	i.countLocked(message, -1)
	return message
}

// countLocked counts a delivery that was added, 1, or removed, -1.
func (i *inbox) countLocked(message delivery, change int) {
	if message.priority != always {
		i.optional += change
		i.size += change * message.size
	}
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
	first := i.waiting.Front()
	if first == nil {
		i.working, i.notices, i.behind = false, nil, false
		if i.empty != nil {
			close(i.empty)
			i.empty = nil
		}
		return delivery{}, false
	}
	return i.removeLocked(first), true
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
