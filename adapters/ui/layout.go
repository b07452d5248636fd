package ui

import (
	"net/http"
	"net/url"
)

// sections are the pages in the navigation.
var sections = []struct{ Path, Title string }{
	{"/", "Overview"}, {"/calls", "Calls"}, {"/tools", "Tools"}, {"/failures", "Failures"},
}

// document is a page with what surrounds it.
type document struct {
	*request
	*page
}

// send sends a whole page.
func (q *request) send(w http.ResponseWriter, status int, p *page) {
	sendDocument(w, status, "page", document{q, p})
}

// Version returns the version of the program.
func (q *request) Version() string { return q.version }

// Zone returns the time zone of the page.
func (q *request) Zone() string { return q.now.Format("UTC-07:00") }

// IsIncomplete reports whether the record is still being read.
func (q *request) IsIncomplete() bool { return q.history != nil && !q.complete }

// choice is a link of which one of a list is chosen.
type choice struct {
	Title, Link string
	Chosen      bool
}

// Spans returns links that choose how far back the page looks.
func (q *request) Spans() []choice {
	var links []choice
	for _, s := range spans {
		query := firstValues(q.query, "since", "before", "page")
		query.Set("since", s.name)
		links = append(links, choice{s.Title, relative(q.path) + "?" + query.Encode(), s.name == q.span.name})
	}
	return links
}

// firstValues returns the first value of each member of a query, except for those with some names.
func firstValues(query url.Values, except ...string) url.Values {
	first := url.Values{}
	for name, values := range query {
		if len(values) > 0 {
			first.Set(name, values[0])
		}
	}
	for _, name := range except {
		first.Del(name)
	}
	return first
}

// notFound returns the page for an address without a page.
func notFound() *page {
	return &page{Title: "Not found", missing: true, Parts: []part{{ID: "missing", Content: render("missing", nil)}}}
}

// EventsAddress returns the address of the page's events.
func (q *request) EventsAddress() string {
	events := firstValues(q.query, pageKey)
	events.Set(pageKey, q.path)
	return relative("/events") + "?" + events.Encode()
}

// pageKey is the query parameter with the path of the page to which events belong.
const pageKey = "path"
