package sessions

import (
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
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

// joined are the methods of notices that make earlier notices of the same kind superfluous.
var joined = []string{
	domain.MethodNotificationPromptsListChanged, domain.MethodNotificationResourcesListChanged, domain.MethodNotificationResourceUpdated,
}

// notices passes on the joined notices of one server. It delivers the first of each kind and
// resource at once, and joins those that follow soon into one, after a pause. The last notice is
// never lost. Safe for concurrent use.
type notices struct {
	deliver func(ports.Message)

	mu      sync.Mutex
	passed  map[string]bool // keys of the notices since the last pause began; nil between pauses
	waiting map[string]ports.Message
	order   []string // keys of those that wait
	size    int      // of passed and waiting, in bytes
	room    sync.Cond
}

func newNotices(deliver func(ports.Message)) *notices {
	n := &notices{deliver: deliver, waiting: map[string]ports.Message{}}
	n.room.L = &n.mu
	return n
}

// take passes on a joined notice, and reports false for any other notice. It blocks while
// too many notices wait.
func (n *notices) take(notice ports.Message) bool {
	if !slices.Contains(joined, notice.Method) {
		return false
	}
	key := keyOf(notice)
	n.mu.Lock()
	n.beginPauseLocked()
	if !n.passed[key] && len(n.passed) < maxAtOnce && len(n.order) == 0 && n.size < maxSize {
		n.passed[key] = true
		n.size += len(key)
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
		n.size += len(key)
	}
	notice.Params = slices.Clone(notice.Params)
	n.waiting[key] = notice
	n.size += len(notice.Params) - len(earlier.Params)
	return true
}

// beginPauseLocked begins a pause unless there is one.
func (n *notices) beginPauseLocked() {
	if n.passed == nil {
		n.passed = map[string]bool{}
		time.AfterFunc(noticePause, n.endPause)
	}
}

// keyOf returns a key for the subject of a notice: a list or a resource.
func keyOf(notice ports.Message) string {
	if notice.Method != domain.MethodNotificationResourceUpdated {
		return notice.Method
	}
	return notice.Method + " " + rawjson.Text(rawjson.Member(notice.Params, "uri"))
}

// endPause passes on the waiting notices, at most maxAtOnce of them, and begins the next pause
// if there were any.
func (n *notices) endPause() {
	n.mu.Lock()
	due := n.order[:min(len(n.order), maxAtOnce)]
	for key := range n.passed {
		n.size -= len(key)
	}
	n.passed = nil
	messages := make([]ports.Message, 0, len(due))
	for _, key := range due {
		if n.passed == nil {
			n.passed = map[string]bool{}
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
