package sessions

import (
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Ownership records which server owns the things that a host knows only by name: the
// resources that the host subscribed to, each at one server, and the tasks that servers made
// of its calls. It outlives the sessions with the servers. Safe for concurrent use.
type Ownership struct {
	tasks ServerIndex

	share Share

	mu              sync.Mutex               // guards the fields below
	subscriptions   map[string]*subscription // by URI
	subscribedBytes int                      // of the URIs of subscriptions
	isClosed        bool
}

// NewOwnership returns an empty Ownership of a host whose caller has that share.
func NewOwnership(share Share) *Ownership {
	return &Ownership{share: share, subscriptions: map[string]*subscription{}}
}

// Concerns reports whether a notification of a server is for the host: it must be about the
// server itself or about something that belongs to it. The host gets no others, so a server
// cannot speak for another server or for the workbench. The ids of pages that the user is done with need
// no check: the host gets them in a form that names the server.
func (o *Ownership) Concerns(server domain.ServerID, notification ports.Notification) bool {
	switch notification.Kind {
	case ports.LogMessage, ports.PromptsChanged, ports.ResourcesChanged, ports.ElicitationComplete:
		return true
	case ports.ResourceUpdated:
		return notification.Subject != "" && o.isSubscribed(server, notification.Subject)
	case ports.TaskStatus:
		owner, known := o.Task(notification.Subject)
		return known && owner == server
	}
	return false
}

// isSubscribed reports whether the host subscribed at the server to a resource, or to one that
// contains it.
func (o *Ownership) isSubscribed(server domain.ServerID, uri string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for subscribed, made := range o.subscriptions {
		if made.server == server && domain.ResourceContains(subscribed, uri) {
			return true
		}
	}
	return false
}

// taskTime is the longest time for which a task keeps its server from being stopped as idle.
//
// Decision: hosts that do not know tasks never fetch or cancel them, so a task cannot keep a server for ever. Requests
// about a task are uses, so a host that asks about it keeps the server longer.
const taskTime = time.Hour

// HoldTask keeps the server from being stopped as idle while it has a task, until ReleaseTask or for an hour. Of more
// than a thousand tasks at the same time, the last ones keep nothing.
func (c *Connection) HoldTask(id string) { c.idle.hold("task "+id, taskTime) }

// ReleaseTask ends HoldTask.
func (c *Connection) ReleaseTask(id string) { c.idle.release("task " + id) }

// AddTask notes that a server made a task of a call. An id that two servers gave belongs to
// neither, since requests about it could reach the wrong server.
func (o *Ownership) AddTask(task string, server domain.ServerID) { o.tasks.AddOnce(server, task) }

// Task returns the server that made a task, if there is one.
func (o *Ownership) Task(task string) (domain.ServerID, bool) { return o.tasks.Server(task) }

// Subscribe notes that the host subscribed to a resource at a server.
func (o *Ownership) Subscribe(uri string, id domain.ServerID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.subscriptions[uri] == nil {
		o.addLocked(uri, &subscription{})
	}
	o.subscriptions[uri].server = id
}

// Unsubscribe notes that the host no longer wants a resource.
func (o *Ownership) Unsubscribe(uri string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.endLocked(uri)
}

// Subscribed returns the server at which the host subscribed to a resource, if it did.
func (o *Ownership) Subscribed(uri string) (id domain.ServerID, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if made := o.subscriptions[uri]; made != nil {
		id = made.server
	}
	return id, id != domain.ServerID{}
}

// subscriptionsAt returns the resources that the host subscribed to at a server, sorted.
func (o *Ownership) subscriptionsAt(id domain.ServerID) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var uris []string
	for uri, made := range o.subscriptions {
		if made.server == id {
			uris = append(uris, uri)
		}
	}
	slices.Sort(uris)
	return uris
}

func (o *Ownership) removeServer(id domain.ServerID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for uri, made := range o.subscriptions {
		if made.server == id {
			o.endLocked(uri)
		}
	}
}

// HoldSubscription keeps the server from being stopped as idle while the host is
// subscribed to one of its resources.
func (c *Connection) HoldSubscription(uri string) { c.idle.hold("resource "+uri, 0) }

// ReleaseSubscription ends HoldSubscription.
func (c *Connection) ReleaseSubscription(uri string) { c.idle.release("resource " + uri) }
