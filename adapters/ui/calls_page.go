package ui

import (
	"strconv"

	"mcp-workbench/domain"
)

// callsShown is the number of calls on a page.
const callsShown = 100

// callList is the list of calls, and the links to others.
type callList struct {
	list
	Place, Failed, Older string
	Before               uint64
}

// callsPage lists calls, the newest first.
func callsPage(q *request) *page {
	about, failed := q.scope(), q.query.Get("failed")
	before, _ := strconv.ParseUint(q.query.Get("before"), 10, 64)
	want := selection{scope: about, kinds: []domain.ActivityKind{domain.ActivityCall}, failedOnly: failed != "", before: before}
	entries, more := q.history.newest(q.viewer, want, callsShown)
	calls := callList{list: list{request: q, Entries: entries}, Place: about.String(), Failed: failed, Before: before}
	if more {
		calls.Older = strconv.FormatUint(entries[len(entries)-1].Number, 10)
	}
	return &page{Title: "Calls", Section: "/calls", Changing: before == 0, Parts: []part{
		{ID: "filter", Wide: true, Content: render("call-filter", calls)},
		{ID: "list", Wide: true, Content: render("call-list", calls)},
	}}
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
