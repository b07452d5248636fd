package ui

import (
	"cmp"
	"html/template"
	"maps"
	"slices"

	"mcp-workbench/domain"
)

// failingShown is the number of servers on the page of failures.
const failingShown = 20

// failuresPage shows what failed, by server, with the end of stderr.
func failuresPage(q *request) *page {
	everything := slices.Collect(maps.Keys(kinds))
	entries, _ := q.history.newest(q.viewer, selection{kinds: everything, failedOnly: true}, callsShown)
	return &page{Title: "Failures", Section: "/failures", Spanned: true, Changing: true, Parts: []part{
		{ID: "outcomes", Wide: true, Content: q.outcomes()},
		{ID: "servers", Title: "By server", Wide: true, Content: q.failing()},
		{ID: "list", Title: "Latest failures", Wide: true, Content: render("happened", list{request: q, Entries: entries})},
	}}
}

// outcomes shows the number of calls with each outcome.
func (q *request) outcomes() template.HTML {
	type outcome struct {
		Name  string
		Calls int
		IsBad bool
	}
	s := q.summary()
	var shown []outcome
	for _, o := range domain.Outcomes() {
		shown = append(shown, outcome{outcomes[o], s.outcomes[o], o.HasFailed() && s.outcomes[o] > 0})
	}
	return render("outcomes", struct {
		Outcomes []outcome
		Total    int
	}{shown, s.total.Calls})
}

// failingServers are the servers with failures.
type failingServers struct {
	*request
	Failing []*server
	More    int
	last    map[domain.ServerID]entry
}

// failing shows the servers with failures: first those that do not run, then by the number of failures.
func (q *request) failing() template.HTML {
	s := q.summary()
	failing := slices.Collect(maps.Values(q.board().servers))
	failing = slices.DeleteFunc(failing, func(candidate *server) bool {
		return candidate.State != "failed" && candidate.State != "login" && s.server(candidate.ID).Failed == 0
	})
	slices.SortFunc(failing, func(x, y *server) int {
		return cmp.Or(cmp.Compare(min(rankOf(x.State), 2), min(rankOf(y.State), 2)), cmp.Compare(s.server(y.ID).Failed, s.server(x.ID).Failed), x.ID.Compare(y.ID))
	})
	shown := failing[:min(len(failing), failingShown)]
	return render("failing", failingServers{q, shown, len(failing) - len(shown), q.history.lastFailures(q.viewer, scope{})})
}

// Last returns the last failure of a server, nil if none is known.
func (f failingServers) Last(id domain.ServerID) *entry {
	if last, isKnown := f.last[id]; isKnown {
		return &last
	}
	return nil
}

// StderrEnd returns the last lines that a server wrote to stderr.
func (q *request) StderrEnd(id domain.ServerID) []string {
	lines := q.stderr(id)
	return lines[max(len(lines)-15, 0):]
}
