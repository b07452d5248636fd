package host

import (
	"context"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// ResourceSubscriptions counts the subscriptions of a host of 2026-07-28 to each
// resource. The server of a resource gets a request for each subscription that begins
// and for the end of the last one. Only one request about a resource is under way at a
// time, so that they arrive in order. Safe for concurrent use.
type ResourceSubscriptions struct {
	resources ports.ResourceReader

	mu    sync.Mutex
	byURI map[string]*resourceSubscription
}

// resourceSubscription is about one resource.
type resourceSubscription struct {
	count      int
	wanted     bool // a subscription began that no server was told of
	subscribed bool // a server accepted a subscription
	pending    bool // a request is under way
}

// NewResourceSubscriptions returns a counter without subscriptions, whose requests
// go to resources.
func NewResourceSubscriptions(resources ports.ResourceReader) *ResourceSubscriptions {
	return &ResourceSubscriptions{resources: resources, byURI: map[string]*resourceSubscription{}}
}

// Add says that a subscription to the resource began. The context bounds the
// requests, not the subscription. It does not wait for a server.
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

// Remove says that a subscription that was added ended.
func (r *ResourceSubscriptions) Remove(ctx context.Context, uri string) {
	r.mu.Lock()
	r.byURI[uri].count--
	r.mu.Unlock()
	r.update(ctx, uri)
}

// update makes the next request, if one is needed.
func (r *ResourceSubscriptions) update(ctx context.Context, uri string) {
	method := r.next(uri)
	if method == "" {
		return
	}
	request := ports.Message{Method: method, Params: rawjson.Object{}.Text("uri", uri).JSON()}
	r.resources.RequestResource(ctx, uri, request, domain.ServerID{}, func(_ domain.ServerID, answer ports.Answer, err error) {
		r.done(uri, method == domain.MethodResourcesSubscribe && err == nil && answer.Error == nil)
		r.update(ctx, uri)
	})
}

// next returns the method of the request that is needed now, "" for none.
func (r *ResourceSubscriptions) next(uri string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch one := r.byURI[uri]; {
	case one == nil || one.pending:
	case one.count > 0 && one.wanted:
		one.wanted, one.pending = false, true
		return domain.MethodResourcesSubscribe
	case one.count == 0 && one.subscribed:
		one.subscribed, one.pending = false, true
		return domain.MethodResourcesUnsubscribe
	case one.count == 0:
		delete(r.byURI, uri)
	}
	return ""
}

// done records the end of a request, and whether a server accepted a subscription.
func (r *ResourceSubscriptions) done(uri string, subscribed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.byURI[uri]
	one.pending = false
	one.subscribed = one.subscribed || subscribed
}
