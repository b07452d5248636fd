package mcpserver

import (
	"context"
	"sync"

	"mcp-workbench/domain"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/ports"
)

// interests are the resources that subscriptions of a host of 2026-07-28 are for.
// Their servers hear of each subscription that begins, and of the last one's end. One
// request about a resource is under way at a time, so that they come in order. Safe
// for concurrent use.
type interests struct {
	resources ports.ResourceReader

	mu    sync.Mutex
	byURI map[string]*interest
}

// interest is the one in a single resource.
type interest struct {
	subscriptions int
	isDue         bool // a subscription began that no server has heard of
	isKnown       bool // a server was subscribed to
	isAsking      bool // a request is under way
}

func newInterests(resources ports.ResourceReader) *interests {
	return &interests{resources: resources, byURI: map[string]*interest{}}
}

// add notes that a subscription for the resource began.
func (i *interests) add(ctx context.Context, uri string) {
	i.mu.Lock()
	if i.byURI[uri] == nil {
		i.byURI[uri] = &interest{}
	}
	i.byURI[uri].subscriptions++
	i.byURI[uri].isDue = true
	i.mu.Unlock()
	i.settle(ctx, uri)
}

// remove notes that a subscription for the resource ended.
func (i *interests) remove(ctx context.Context, uri string) {
	i.mu.Lock()
	i.byURI[uri].subscriptions--
	i.mu.Unlock()
	i.settle(ctx, uri)
}

// settle makes the request that has to be made next, if one has to.
func (i *interests) settle(ctx context.Context, uri string) {
	method := i.next(uri)
	if method == "" {
		return
	}
	params := append(jsonscan.AppendQuote([]byte(`{"uri":`), uri), '}')
	i.resources.RequestResource(ctx, uri, ports.Message{Method: string(method), Params: params}, func(answer ports.Answer, err error) {
		i.asked(uri, method == domain.MethodResourcesSubscribe && err == nil && answer.Error == nil)
		i.settle(ctx, uri)
	})
}

func (i *interests) next(uri string) mcp.MCPMethod {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch one := i.byURI[uri]; {
	case one == nil || one.isAsking:
	case one.subscriptions > 0 && one.isDue:
		one.isDue, one.isAsking = false, true
		return domain.MethodResourcesSubscribe
	case one.subscriptions == 0 && one.isKnown:
		one.isKnown, one.isAsking = false, true
		return domain.MethodResourcesUnsubscribe
	case one.subscriptions == 0:
		delete(i.byURI, uri)
	}
	return ""
}

// asked notes the end of a request, and whether it made a server know.
func (i *interests) asked(uri string, known bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	one := i.byURI[uri]
	one.isAsking = false
	one.isKnown = one.isKnown || known
}
