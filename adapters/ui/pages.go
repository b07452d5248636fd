package ui

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Settings say how pages are served.
type Settings struct {
	// Version is the version of the program.
	Version string
	// Viewer returns the viewer who makes a request. If it is nil, no toolbox is shown.
	Viewer func(*http.Request) Viewer
	// Access returns a channel that is closed when the access of a request's viewer is revoked, and when it expires,
	// the zero time for never. It can be nil.
	Access func(*http.Request) (revoked <-chan struct{}, until time.Time)
}

// Pages serves the pages below Path. Safe for concurrent use.
type Pages struct {
	settings Settings
	observed *observed
	streams  *places
	sending  *places // of whole pages
	end      context.CancelFunc
	ended    <-chan struct{}
}

// New returns pages with the data of sources. The caller closes them.
func New(sources Sources, settings Settings, log *slog.Logger) *Pages {
	ctx, end := context.WithCancel(context.Background())
	return &Pages{
		settings: settings, observed: newObserved(ctx, sources, log), streams: newPlaces(), sending: newPlaces(), end: end, ended: ctx.Done(),
	}
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
		leave := p.sending.enter(q.viewer.Identity, w)
		if leave == nil {
			return
		}
		defer leave()
		q.look()
		built := page(q)
		status := http.StatusOK
		if built.missing {
			status = http.StatusNotFound
		}
		q.send(w, status, built)
	}
}

// pageAt returns the builder of the page at a path, nil for an unknown path.
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

// request returns the request for a page that a browser sent.
func (p *Pages) request(r *http.Request) *request {
	viewer := Viewer{Toolboxes: []string{}}
	if p.settings.Viewer != nil {
		viewer = p.settings.Viewer(r)
	}
	q := r.URL.Query()
	return &request{
		observed: p.observed, version: p.settings.Version, ctx: r.Context(), viewer: viewer, path: below(r.URL.Path), query: q, span: spanNamed(q.Get("since")), now: time.Now(),
	}
}
