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
	// noticePause is the time a repeated notice of a server waits, so that a server that sends it
	// thousands of times reaches the host a few times a second.
	noticePause = 200 * time.Millisecond
	// maxAtOnce is the largest number of different notices of a server within noticePause.
	maxAtOnce = 100
	// maxWaiting and maxSize, in bytes, bound what is remembered of a server's notices. Beyond
	// them the server is not read before some reached the host.
	maxWaiting = 1000
	maxSize    = 1 << 20
)

// joined are the methods of notices that make all earlier ones of their kind superfluous.
var joined = []string{
	domain.MethodNotificationPromptsListChanged, domain.MethodNotificationResourcesListChanged, domain.MethodNotificationResourceUpdated,
}

// notices passes the joined notices of one server on. The first of each kind and resource goes at
// once; those that follow soon go as one, after a pause. The last is never lost. Safe for
// concurrent use.
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

// take passes a joined notice on, and reports false for any other notice. It waits while too
// many notices wait.
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
	n.beginPauseLocked() // the one that was waited for may have been the last
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

// keyOf returns the key of what a notice is about: a list, or a resource.
func keyOf(notice ports.Message) string {
	if notice.Method != domain.MethodNotificationResourceUpdated {
		return notice.Method
	}
	return notice.Method + " " + rawjson.Text(rawjson.Member(notice.Params, "uri"))
}

// endPause passes on the notices that wait, at most maxAtOnce of them, and begins the next pause
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
