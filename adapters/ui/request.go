package ui

import (
	"context"
	"net/url"
	"strings"
	"time"

	"mcp-workbench/domain"
)

// Path is the path below which pages are served.
const Path = "/ui/"

// below returns what follows Path in a path, with the slash.
func below(path string) string { return strings.TrimPrefix(path, strings.TrimSuffix(Path, "/")) }

// relative returns the address of a path below Path, for a page. All pages are in one folder, so these addresses hold
// wherever a server or a proxy has that folder.
func relative(path string) string { return "." + path }

// request is a request for a page.
type request struct {
	observed *observed
	version  string          // of the program
	ctx      context.Context //nolint:containedctx // it is the context of this request
	viewer   Viewer
	path     string
	query    url.Values
	span     span
	now      time.Time
	history  *history
	complete bool

	// numbers are those of all calls, and known is the board, once the page needed them.
	numbers *summary
	known   *board
}

// Period returns the span as text.
func (q *request) Period() string { return q.span.Title }

// Everything reports whether the viewer is the user to whom the workbenches belong.
func (q *request) Everything() bool { return q.viewer.Everything }

// look gets the history that the page shows.
func (q *request) look() { q.history, q.complete = q.observed.look(q.ctx) }

// scope returns the scope that the query names.
func (q *request) scope() scope {
	return scope{toolbox: q.query.Get("toolbox"), server: q.query.Get("server"), tool: q.query.Get("tool")}
}

// summary returns the numbers of all calls.
func (q *request) summary() *summary {
	if q.numbers == nil {
		q.numbers = q.summarize(scope{})
	}
	return q.numbers
}

// summarize returns the numbers of the calls in a scope.
func (q *request) summarize(about scope) *summary {
	return q.observed.summaries.get(q.history, q.viewer, about, q.span, q.now)
}

// Link returns the address of a page with a query of names and values in turn, and with the chosen span. Empty
// values are left out.
func (q *request) Link(path string, query ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			values.Set(query[i], query[i+1])
		}
	}
	if q.span.name != defaultSpan && !values.Has("since") {
		values.Set("since", q.span.name)
	}
	address := relative(path)
	if len(values) > 0 {
		address += "?" + values.Encode()
	}
	return address
}

// ServerLink returns the address of the page of a server.
func (q *request) ServerLink(id domain.ServerID) string {
	return q.Link("/server", "toolbox", string(id.Toolbox), "server", string(id.Server))
}

// ToolLink returns the address of the page of a tool.
func (q *request) ToolLink(id domain.ToolIdentifier) string {
	return q.Link("/tool", "toolbox", string(id.Toolbox), "server", string(id.Server), "tool", id.Tool)
}

// CallsLink returns the address of the calls in the scope of the page.
func (q *request) CallsLink(failed, before string) string {
	about := q.scope()
	return q.Link("/calls", "toolbox", about.toolbox, "server", about.server, "tool", about.tool, "failed", failed, "before", before)
}
