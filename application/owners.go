package application

import (
	"slices"
	"sync"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

// ResourceOwners records which servers a resource belongs to: which servers listed it or a matching
// template, which server's result pointed at it last, and which server answered for it. Safe for concurrent
// use.
type ResourceOwners struct {
	sessions.ServerIndex // of the resources that results pointed at
	answers              sessions.ServerIndex

	mu        sync.Mutex // guards the fields below
	resources map[domain.ServerID]map[string]struct{}
	templates map[domain.ServerID][]string
}

// NewResourceOwners returns owners of no resources.
func NewResourceOwners() *ResourceOwners {
	return &ResourceOwners{
		resources: map[domain.ServerID]map[string]struct{}{}, templates: map[domain.ServerID][]string{},
	}
}

// listed records the newest list of a server, in place of the one before.
func (o *ResourceOwners) listed(server domain.ServerID, kind domain.ResourceKind, list []domain.Resource) {
	if kind == domain.Skills {
		return // a list of skills has no other resources
	}
	var templates []string
	resources := map[string]struct{}{}
	for _, resource := range list {
		templates = append(templates, resource.URI)
		resources[resource.URI] = struct{}{}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if kind == domain.ResourceTemplates {
		o.templates[server] = templates
	} else {
		o.resources[server] = resources
	}
}

// unlistable records that a server could not list: it counts as a server without resources,
// unless it listed some before.
func (o *ResourceOwners) unlistable(server domain.ServerID, kind domain.ResourceKind) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, known := o.resources[server]; kind == domain.Resources && !known {
		o.resources[server] = nil
	}
	if _, known := o.templates[server]; kind == domain.ResourceTemplates && !known {
		o.templates[server] = nil
	}
}

// answered records that a server answered for a resource.
func (o *ResourceOwners) answered(server domain.ServerID, uri string) {
	o.answers.Add(server, []string{uri})
}

// hasLists reports whether both lists of a server are known.
func (o *ResourceOwners) hasLists(server domain.ServerID) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, resources := o.resources[server]
	_, templates := o.templates[server]
	return resources && templates
}

// merelyPointed reports whether a result pointed at the resource although its server is not
// known to list the resource.
func (o *ResourceOwners) merelyPointed(uri string) bool {
	server, known := o.Server(uri)
	return known && !o.listing(uri)(server)
}

// pointing returns a function that reports whether the last result that pointed at the resource was the
// server's.
func (o *ResourceOwners) pointing(uri string) func(domain.ServerID) bool {
	owner, known := o.Server(uri)
	return func(server domain.ServerID) bool { return known && server == owner }
}

// answering returns a function that reports whether the server was the last to answer for the resource.
func (o *ResourceOwners) answering(uri string) func(domain.ServerID) bool {
	owner, known := o.answers.Server(uri)
	return func(server domain.ServerID) bool { return known && server == owner }
}

// listing returns a function that reports whether the server listed the resource.
func (o *ResourceOwners) listing(uri string) func(domain.ServerID) bool {
	return func(server domain.ServerID) bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		_, known := o.resources[server][uri]
		return known
	}
}

// listingTemplate returns a function that reports whether the server listed the template itself.
func (o *ResourceOwners) listingTemplate(template string) func(domain.ServerID) bool {
	return func(server domain.ServerID) bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return slices.Contains(o.templates[server], template)
	}
}

// fitting returns a function that reports whether the server listed a template that matches the resource.
func (o *ResourceOwners) fitting(uri string) func(domain.ServerID) bool {
	return func(server domain.ServerID) bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return slices.ContainsFunc(o.templates[server], func(template string) bool { return domain.MayExpandTo(template, uri) })
	}
}
