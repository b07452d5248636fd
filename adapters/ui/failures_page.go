package ui

import (
	"cmp"
	"maps"
	"slices"

	"mcp-workbench/adapters/ui/html"
	"mcp-workbench/domain"
)

// failingShown is the number of servers on the page of failures.
const failingShown = 20

// failuresPage shows what failed, by server, with the end of stderr.
func failuresPage(q *request) *page {
	return &page{
		title: "Failures", path: "/failures", spanned: true, changing: true,
		parts: []part{
			{id: "outcomes", wide: true, write: q.writeOutcomes},
			{id: "servers", title: "By server", wide: true, write: q.writeFailing},
			{id: "list", title: "Latest failures", wide: true, write: func(w *html.Writer) {
				everything := slices.Collect(maps.Keys(kinds))
				entries, _ := q.history.newest(q.viewer, selection{kinds: everything, failedOnly: true}, callsShown)
				q.writeHappened(w, entries)
			}},
		},
	}
}

// writeOutcomes writes the number of calls with each outcome.
func (q *request) writeOutcomes(w *html.Writer) {
	s := q.summary()
	w.Start("dl", "class", "numbers")
	for _, outcome := range domain.Outcomes() {
		class := ""
		if outcome.HasFailed() && s.outcomes[outcome] > 0 {
			class = "bad"
		}
		w.Start("div", html.When(class != "", "class"), class).Element("dt", outcomes[outcome]).Start("dd")
		w.Element("strong", short(s.outcomes[outcome])).Text(" ").Element("small", share(s.outcomes[outcome], s.total.calls)).End().End()
	}
	w.End()
	w.Element("p", "Messages of errors are not recorded, since they can contain what was sent or read. The host was shown them.")
}

// writeFailing writes the servers with failures: first those that do not run, then by the number of failures.
func (q *request) writeFailing(w *html.Writer) {
	s, b, last := q.summary(), q.board(), q.history.lastFailures(q.viewer, scope{})
	failing := slices.Collect(maps.Values(b.servers))
	failing = slices.DeleteFunc(failing, func(candidate *server) bool {
		return candidate.state != "failed" && candidate.state != "login" && s.server(candidate.id).failed == 0
	})
	if len(failing) == 0 {
		w.Element("p", "Nothing failed in the last "+q.span.title+".", "class", "empty")
		return
	}
	slices.SortFunc(failing, func(x, y *server) int {
		return cmp.Or(cmp.Compare(min(rankOf(x.state), 2), min(rankOf(y.state), 2)), cmp.Compare(s.server(y.id).failed, s.server(x.id).failed), x.id.Compare(y.id))
	})
	for i, failed := range failing[:min(len(failing), failingShown)] {
		w.Start("article", "class", "card failing", "data-key", failed.id.Path()).Start("header").Start("h3")
		w.Start("a", "href", q.serverLink(failed.id)).Element("bdi", failed.id.Path()).End().End()
		failed.writeState(w)
		w.End()
		f := s.server(failed.id)
		w.Start("p").Text(failureText(f))
		if failure, known := last[failed.id]; known {
			w.Text(" The last failure: ")
			if failure.Kind != domain.ActivityCall {
				w.Text(kinds[failure.Kind] + " of ")
			}
			q.writeToolName(w, failure)
			w.Text(", ")
			writeTime(w, failure.Time, q.now)
			w.Text(" ")
			writeOutcome(w, failure)
		}
		w.End()
		q.writeFailingStderr(w, failed, i == 0)
		w.End()
	}
	if more := len(failing) - failingShown; more > 0 {
		w.Element("p", "and "+counted(more, "more server", "more servers"), "class", "more")
	}
}

// failureText says how many calls failed.
func failureText(f *figures) string {
	if f.calls == 0 {
		return "No calls."
	}
	return count(f.failed) + " of " + counted(f.calls, "call", "calls") + " failed."
}

func (q *request) writeFailingStderr(w *html.Writer, s *server, isOpen bool) {
	lines := q.pages.observed.stderr(q.ctx, s.id, q.viewer)
	if len(lines) == 0 {
		return
	}
	w.Start("details", html.When(isOpen, "open"), "").Element("summary", "End of stderr").Start("pre", "class", "log", "tabindex", "0", "role", "region", "aria-label", "End of stderr of "+s.id.Path())
	for _, line := range lines[max(len(lines)-15, 0):] {
		w.Text(shownLine(line))
	}
	w.End().End()
}
