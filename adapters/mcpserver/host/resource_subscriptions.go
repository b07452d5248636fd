package host

import (
	"context"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// ResourceSubscriptions counts the subscriptions of a host of 2026-07-28 to each resource. The
// server of a resource gets a request when a subscription begins and when the last one ends, one
// request at a time, so that they arrive in order. Safe for concurrent use.
type ResourceSubscriptions struct {
	resources ports.ResourceReader

	mu     sync.Mutex // guards the fields below
	byURI  map[string]*resourceSubscription
	number int // of all subscriptions
	bytes  int // of their URIs
}

const (
	// maxSubscriptions is the maximum number of subscriptions of a host, and maxSubscribedBytes the maximum
	// length of their URIs together, in bytes.
	maxSubscriptions   = 1000
	maxSubscribedBytes = 1 << 20
)

// resourceSubscription is the state of the subscriptions to one resource.
type resourceSubscription struct {
	count      int
	wanted     bool // a subscription began, and the server was not told yet
	subscribed bool // a server accepted a subscription
	pending    bool // a request is under way
}

// NewResourceSubscriptions returns a counter without subscriptions that sends its requests to
// resources.
func NewResourceSubscriptions(resources ports.ResourceReader) *ResourceSubscriptions {
	return &ResourceSubscriptions{resources: resources, byURI: map[string]*resourceSubscription{}}
}

// Reserve makes room for a subscription to the resource. It returns false if the host has too many.
func (r *ResourceSubscriptions) Reserve(uri string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.number >= maxSubscriptions || r.bytes+len(uri) > maxSubscribedBytes {
		return false
	}
	r.number++
	r.bytes += len(uri)
	return true
}

// Add records that a subscription for which there is room began. The context bounds the requests, not the
// subscription. Add does not wait for a server.
func (r *ResourceSubscriptions) Add(ctx context.Context, uri string) {
	r.mu.Lock()
	if r.byURI[uri] == nil {
		r.byURI[uri] = &resourceSubscription{}
	}
	r.byURI[uri].count++
	r.byURI[uri].wanted = true
	r.mu.Unlock()
	r.update(ctx, uri)
}

// Remove records that an added subscription ended, and gives its room to others.
func (r *ResourceSubscriptions) Remove(ctx context.Context, uri string) {
	r.mu.Lock()
	r.byURI[uri].count--
	r.number--
	r.bytes -= len(uri)
	r.mu.Unlock()
	r.update(ctx, uri)
}

// update makes the next request, if one is needed.
func (r *ResourceSubscriptions) update(ctx context.Context, uri string) {
	purpose, isNeeded := r.next(uri)
	if !isNeeded {
		return
	}
	request := ports.ResourceRequest{Message: ports.Message{Params: rawjson.Object{}.Text("uri", uri).JSON()}, Purpose: purpose}
	r.resources.RequestResource(ctx, uri, request, domain.ServerID{}, func(_ domain.ServerID, answer ports.Answer, err error) {
		r.done(uri, purpose == ports.SubscribeResource && err == nil && answer.Error == nil)
		r.update(ctx, uri)
	})
}

// next returns the purpose of the next request, and whether one is needed.
func (r *ResourceSubscriptions) next(uri string) (purpose ports.ResourcePurpose, isNeeded bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch s := r.byURI[uri]; {
	case s == nil || s.pending:
	case s.count > 0 && s.wanted:
		s.wanted, s.pending = false, true
		return ports.SubscribeResource, true
	case s.count == 0 && s.subscribed:
		s.subscribed, s.pending = false, true
		return ports.UnsubscribeResource, true
	case s.count == 0:
		delete(r.byURI, uri)
	}
	return 0, false
}

// done records the end of a request, and whether a server accepted a subscription.
func (r *ResourceSubscriptions) done(uri string, subscribed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.byURI[uri]
	s.pending = false
	s.subscribed = s.subscribed || subscribed
}
