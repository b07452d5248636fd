package ui

import (
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Path is the path below which pages are served.
const Path = "/ui/"

// below returns what follows Path in a path, with the slash.
func below(path string) string { return strings.TrimPrefix(path, strings.TrimSuffix(Path, "/")) }

// relative returns the address of a path below Path, for a page. All pages are in one folder, so these addresses hold
// wherever a server or a proxy has that folder.
func relative(path string) string { return "." + path }

// Settings say how pages are served.
type Settings struct {
	// Version is the version of the program.
	Version string
	// Viewer returns the viewer who makes a request. If it is nil, no toolbox is shown.
	Viewer func(*http.Request) Viewer
	// Ended returns a channel that is closed when the access of a request's viewer ends. It can be nil.
	Ended func(*http.Request) <-chan struct{}
}

// Pages serves the pages below Path. Safe for concurrent use.
type Pages struct {
	settings Settings
	observed *observed
	streams  *streams
	end      context.CancelFunc
	ended    <-chan struct{}
}

// New returns pages with the data of sources. The caller closes them.
func New(sources Sources, settings Settings, log *slog.Logger) *Pages {
	ctx, end := context.WithCancel(context.Background())
	return &Pages{settings: settings, observed: newObserved(ctx, sources, log), streams: newStreams(), end: end, ended: ctx.Done()}
}

// Close ends all streams of events, and stops following the record.
func (p *Pages) Close() { p.end() }

// Prepare reads the record for the first page.
func (p *Pages) Prepare(ctx context.Context) { p.observed.look(ctx) }

// ServeHTTP implements http.Handler.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	if !isAllowed(w, r) {
		return
	}
	path := below(r.URL.Path)
	if asset := assetAt(path); asset != nil {
		asset.serve(w, r)
		return
	}
	q := p.request(r)
	switch page := pageAt(path); {
	case path == "":
		http.Redirect(w, r, Path, http.StatusMovedPermanently)
	case path == "/events":
		p.serveEvents(w, r)
	case page == nil:
		q.send(w, http.StatusNotFound, notFound())
	default:
		q.look()
		built := page(q)
		status := http.StatusOK
		if built.missing {
			status = http.StatusNotFound
		}
		q.send(w, status, built)
	}
}

// pageAt returns the function that builds the page at a path, nil if there is none.
func pageAt(path string) func(*request) *page {
	switch path {
	case "/":
		return overview
	case "/calls":
		return callsPage
	case "/tools":
		return toolsPage
	case "/tool":
		return toolPage
	case "/server":
		return serverPage
	case "/failures":
		return failuresPage
	}
	return nil
}

// page is the content of a page between its header and its footer.
type page struct {
	// Title is its heading, Section the path of its section in the navigation.
	Title, Section string
	// Spanned says that the user can choose a span.
	Spanned bool
	Parts   []part
	// missing says that the subject of the page does not exist.
	missing bool
	// Changing says that parts change while the page is open.
	Changing bool
}

// part is a section of a page, which may be replaced while the page is open.
type part struct {
	ID string
	// Title is its heading, "" for none.
	Title string
	// Wide says that the part takes the whole width of the page.
	Wide    bool
	Content template.HTML
}

// request is a request for a page.
type request struct {
	pages    *Pages
	ctx      context.Context //nolint:containedctx // it is the context of this request
	viewer   Viewer
	path     string
	query    url.Values
	span     span
	now      time.Time
	history  *history
	complete bool

	numbers *summary
	known   *board
}

func (p *Pages) request(r *http.Request) *request {
	viewer := Viewer{Toolboxes: []string{}}
	if p.settings.Viewer != nil {
		viewer = p.settings.Viewer(r)
	}
	q := r.URL.Query()
	return &request{
		pages: p, ctx: r.Context(), viewer: viewer, path: below(r.URL.Path), query: q, span: spanNamed(q.Get("since")), now: time.Now(),
	}
}

// Period returns the span as text.
func (q *request) Period() string { return q.span.Title }

// Everything reports whether the viewer is the user to whom the workbenches belong.
func (q *request) Everything() bool { return q.viewer.Everything }

// look gets the history that the page shows.
func (q *request) look() { q.history, q.complete = q.pages.observed.look(q.ctx) }

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
	return q.pages.observed.summaries.get(q.history, q.viewer, about, q.span, q.now)
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
