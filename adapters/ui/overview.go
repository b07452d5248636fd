package ui

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
)

const (
	// serversShown is the number of servers in the cards of a page.
	serversShown = 120
	// newestShown is the number of calls on the overview, rankedShown the number of tools.
	newestShown = 12
	rankedShown = 8
	// attentionShown is the number of servers that are named as needing attention.
	attentionShown = 5
)

// overview is the first page.
func overview(q *request) *page {
	entries, more := q.history.newest(q.viewer, selection{kinds: []domain.ActivityKind{domain.ActivityCall}}, newestShown)
	return &page{Title: "Overview", Section: "/", Spanned: true, Changing: true, Parts: []part{
		{ID: "attention", Wide: true, Content: q.attention()},
		{ID: "numbers", Wide: true, Content: q.totals()},
		{ID: "time", Title: "Over time", Wide: true, Content: q.summary().charts(q)},
		{ID: "toolboxes", Title: "Toolboxes", Wide: true, Content: q.toolboxes()},
		{ID: "costs", Title: "What servers cost", Wide: true, Content: q.serverCosts()},
		{ID: "newest", Title: "Latest calls", Content: render("newest", list{request: q, Entries: entries, Brief: true, HasMore: more})},
		{ID: "ranked", Title: "Most used tools", Content: q.mostUsed()},
		{ID: "workbenches", Title: "Running workbenches", Wide: true, Content: q.workbenches()},
	}}
}

// attention names the servers that need the user's attention.
func (q *request) attention() template.HTML {
	var needy []*server
	for _, s := range q.board().servers {
		if s.State == "failed" || s.State == "login" {
			needy = append(needy, s)
		}
	}
	slices.SortFunc(needy, func(a, b *server) int {
		return cmp.Or(cmp.Compare(rankOf(a.State), rankOf(b.State)), a.ID.Compare(b.ID))
	})
	shown := needy[:min(len(needy), attentionShown)]
	return render("attention", struct {
		*request
		Needy []*server
		More  int
	}{q, shown, len(needy) - len(shown)})
}

// Argument returns the path of a server as an argument of a command.
func (s *server) Argument() string { return domain.ShellWord(domain.LineText(s.ID.Path())) }

// totals shows the numbers of the span.
func (q *request) totals() template.HTML {
	b := q.board()
	counts := b.counts()
	return render("numbers", struct {
		*request
		Total                  figures
		Running, Idle, Servers int
	}{q, q.summary().total, counts["running"], counts["idle"], len(b.servers) - len(b.gone)})
}

// toolboxes shows a card for each toolbox, and the servers that are no longer configured folded.
func (q *request) toolboxes() template.HTML {
	b := q.board()
	total := len(b.servers) - len(b.gone)
	page := pageNumber(q.query.Get("page"), total, serversShown)
	skipped, left := (page-1)*serversShown, serversShown
	var cards []toolbox
	for _, t := range b.toolboxes {
		if skipped >= len(t.Servers) && len(t.Servers) > 0 {
			skipped -= len(t.Servers)
			continue
		}
		if left <= 0 {
			break
		}
		card := *t
		card.Servers = t.Servers[skipped:min(len(t.Servers), skipped+left)]
		cards, skipped, left = append(cards, card), 0, left-max(len(card.Servers), 1)
	}
	return render("toolboxes", struct {
		*request
		None      bool
		Toolboxes []toolbox
		Pages     pageLinks
		Gone      []*server
		GoneCount int
	}{q, len(b.toolboxes) == 0, cards, q.pageLinks(page, total, serversShown, "Pages of servers"), b.gone[:min(len(b.gone), serversShown)], len(b.gone)})
}

// Figures returns the numbers of a server.
func (q *request) Figures(id domain.ServerID) *figures { return q.summary().server(id) }

// Text returns the state of a server as text.
func (s *server) Text() string {
	text := s.State
	switch {
	case s.disabled:
		text = "disabled"
	case s.State == "login":
		text = "needs a login"
	}
	if len(s.instances) > 1 {
		text += " ×" + strconv.Itoa(len(s.instances))
	}
	return text
}

// Class returns the class of the server's state.
func (s *server) Class() string {
	switch {
	case rankOf(s.State) == len(states):
		return "stopped"
	case s.disabled:
		return "disabled"
	}
	return strings.ReplaceAll(s.State, " ", "-")
}

// mostUsed shows the tools that were called most.
func (q *request) mostUsed() template.HTML {
	var ranked []*tool
	for id, f := range q.summary().tools {
		if !q.board().isGone(id) {
			ranked = append(ranked, &tool{ID: id, figures: f})
		}
	}
	slices.SortFunc(ranked, func(a, b *tool) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), a.ID.Compare(b.ID))
	})
	return render("ranked", struct {
		*request
		Tools []*tool
	}{q, ranked[:min(len(ranked), rankedShown)]})
}
