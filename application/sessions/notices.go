package sessions

import (
	"slices"
	"sync"
	"time"

	"mcp-workbench/ports"
)

const (
	// noticePause is how long a repeated notice waits, so that a notice that a server sends
	// thousands of times reaches the host only a few times a second.
	noticePause = 200 * time.Millisecond
	// maxAtOnce is the largest number of different notices of a server within noticePause.
	maxAtOnce = 100
	// maxWaiting and maxSize, in bytes, bound the memory for a server's notices. Beyond them
	// nothing is read from the server until some notices have reached the host.
	maxWaiting = 1000
	maxSize    = 1 << 20
)

// joined are the kinds of notices that make earlier notices of the same kind superfluous.
var joined = []ports.NotificationKind{ports.PromptsChanged, ports.ResourcesChanged, ports.ResourceUpdated}

// notices passes on the joined notices of one server. It delivers the first of each kind and
// resource at once, and joins those that follow soon into one, after a pause. The last notice is
// never lost. Safe for concurrent use.
type notices struct {
	deliver func(ports.Notification)

	mu      sync.Mutex
	passed  map[noticeKey]bool // of the notices since the last pause began; nil between pauses
	waiting map[noticeKey]ports.Notification
	order   []noticeKey // of those that wait
	size    int         // of passed and waiting, in bytes
	room    sync.Cond
}

func newNotices(deliver func(ports.Notification)) *notices {
	n := &notices{deliver: deliver, waiting: map[noticeKey]ports.Notification{}}
	n.room.L = &n.mu
	return n
}

// take passes on a joined notice, and reports false for any other notice. It blocks while
// too many notices wait.
func (n *notices) take(notice ports.Notification) bool {
	if !slices.Contains(joined, notice.Kind) {
		return false
	}
	key := keyOf(notice)
	n.mu.Lock()
	n.beginPauseLocked()
	if !n.passed[key] && len(n.passed) < maxAtOnce && len(n.order) == 0 && n.size < maxSize {
		n.passed[key] = true
		n.size += len(key.uri)
		n.mu.Unlock()
		n.deliver(notice)
		return true
	}
	defer n.mu.Unlock()
	earlier, waits := n.waiting[key]
	for !waits && (len(n.order) >= maxWaiting || n.size >= maxSize) {
		n.room.Wait()
		earlier, waits = n.waiting[key]
	}
	n.beginPauseLocked() // the pause may have ended while this waited for room
	if !waits {
		n.order = append(n.order, key)
		n.size += len(key.uri)
	}
	notice.Params = slices.Clone(notice.Params)
	n.waiting[key] = notice
	n.size += len(notice.Params) - len(earlier.Params)
	return true
}

// beginPauseLocked begins a pause unless there is one.
func (n *notices) beginPauseLocked() {
	if n.passed == nil {
		n.passed = map[noticeKey]bool{}
		time.AfterFunc(noticePause, n.endPause)
	}
}

// noticeKey is the subject of a notice: a list, or the resource with that URI.
type noticeKey struct {
	kind ports.NotificationKind
	uri  string
}

func keyOf(notice ports.Notification) noticeKey {
	return noticeKey{kind: notice.Kind, uri: notice.Subject}
}

// endPause passes on the waiting notices, at most maxAtOnce of them, and begins the next pause
// if there were any.
func (n *notices) endPause() {
	n.mu.Lock()
	due := n.order[:min(len(n.order), maxAtOnce)]
	for key := range n.passed {
		n.size -= len(key.uri)
	}
	n.passed = nil
	messages := make([]ports.Notification, 0, len(due))
	for _, key := range due {
		if n.passed == nil {
			n.passed = map[noticeKey]bool{}
		}
		n.passed[key], messages = true, append(messages, n.waiting[key])
		n.size -= len(n.waiting[key].Params)
		delete(n.waiting, key)
	}
	n.order = slices.Clone(n.order[len(due):])
	n.room.Broadcast()
	n.mu.Unlock()
	for _, message := range messages {
		n.deliver(message)
	}
	if len(due) > 0 {
		time.AfterFunc(noticePause, n.endPause)
	}
}
