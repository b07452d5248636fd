package ui

import (
	"strconv"

	"mcp-workbench/adapters/ui/html"
	"mcp-workbench/domain"
)

// callsShown is the number of calls on a page.
const callsShown = 100

// callsPage lists calls, the newest first.
func callsPage(q *request) *page {
	before, _ := strconv.ParseUint(q.query.Get("before"), 10, 64)
	return &page{
		title: "Calls", path: "/calls", changing: before == 0,
		parts: []part{
			{id: "filter", wide: true, write: func(w *html.Writer) { q.writeCallFilter(w) }},
			{id: "list", wide: true, write: func(w *html.Writer) { q.writeCallList(w, before) }},
		},
	}
}

// writeCallFilter writes links that choose which calls are listed.
func (q *request) writeCallFilter(w *html.Writer) {
	about, failed := q.scope(), q.query.Get("failed") != ""
	link := func(failed string) string {
		return q.link("/calls", "toolbox", about.toolbox, "server", about.server, "tool", about.tool, "failed", failed)
	}
	w.Start("nav", "class", "spans", "aria-label", "Which calls").Start("ul")
	w.Start("li").Element("a", "All calls", "href", link(""), html.When(!failed, "aria-current"), "true").End()
	w.Start("li").Element("a", "Failed only", "href", link("1"), html.When(failed, "aria-current"), "true").End()
	w.End().End()
	if about != (scope{}) {
		w.Start("p").Text("Of ").Element("strong", about.String()).Text(". ")
		w.Element("a", "Show all", "href", q.link("/calls", "failed", q.query.Get("failed"))).End()
	}
}

// String returns the place that the scope names.
func (s scope) String() string {
	place := s.toolbox
	for _, name := range []string{s.server, s.tool} {
		if name != "" {
			place += "/" + name
		}
	}
	return place
}

func (q *request) writeCallList(w *html.Writer, before uint64) {
	want := selection{
		scope: q.scope(), kinds: []domain.ActivityKind{domain.ActivityCall}, failedOnly: q.query.Get("failed") != "", before: before,
	}
	entries, more := q.history.newest(q.viewer, want, callsShown)
	q.writeCalls(w, entries, false)
	if before == 0 && !more {
		return
	}
	address := func(before string) string {
		return q.link("/calls", "toolbox", want.toolbox, "server", want.server, "tool", want.tool, "failed", q.query.Get("failed"), "before", before)
	}
	w.Start("nav", "class", "pages", "aria-label", "Pages of calls")
	if before > 0 {
		w.Element("a", "Newest", "href", address(""))
	}
	if more {
		w.Element("a", "Older", "href", address(strconv.FormatUint(entries[len(entries)-1].number, 10)), "rel", "next")
	}
	w.End()
}
