package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/ui/html"
	"mcp-workbench/domain"
)

const (
	// serversShown is the number of servers in the cards of a page.
	serversShown = 120
	// newestShown is the number of calls on the overview, rankedShown the number of tools.
	newestShown = 12
	rankedShown = 8
)

// overview is the first page.
func overview(q *request) *page {
	return &page{
		title: "Overview", path: "/", spanned: true, changing: true,
		parts: []part{
			{id: "attention", wide: true, write: q.writeAttention},
			{id: "numbers", wide: true, write: q.writeNumbers},
			{id: "time", title: "Over time", wide: true, write: func(w *html.Writer) { q.summary().writeCharts(w, q.now) }},
			{id: "toolboxes", title: "Toolboxes", wide: true, write: q.writeToolboxes},
			{id: "newest", title: "Latest calls", write: q.writeNewest},
			{id: "ranked", title: "Most used tools", write: q.writeRanked},
			{id: "workbenches", title: "Running workbenches", wide: true, write: q.writeWorkbenches},
		},
	}
}

// attentionShown is the number of servers that are named as needing attention.
const attentionShown = 5

// writeAttention names the servers that need the user's attention.
func (q *request) writeAttention(w *html.Writer) {
	var needy []*server
	for _, s := range q.board().servers {
		if s.state == "failed" || s.state == "login" {
			needy = append(needy, s)
		}
	}
	if len(needy) == 0 {
		return
	}
	slices.SortFunc(needy, func(a, b *server) int {
		return cmp.Or(cmp.Compare(rankOf(a.state), rankOf(b.state)), a.id.Compare(b.id))
	})
	w.Start("ul", "class", "attention", "aria-label", "Servers that need you")
	for _, s := range needy[:min(len(needy), attentionShown)] {
		w.Start("li", "class", s.state, "data-key", s.id.Path())
		s.writeState(w)
		w.Text(" ").Start("a", "href", q.serverLink(s.id)).Element("bdi", s.id.Path()).End()
		if s.state == "login" {
			w.Text(" ").Element("code", "mcp-workbench login "+domain.ShellWord(domain.LineText(s.id.Path())))
		} else {
			w.Text(" ").Start("a", "href", q.link("/failures")).Text("why").Element("span", " "+s.id.Path()+" failed", "class", "unseen").End()
		}
		w.End()
	}
	if more := len(needy) - attentionShown; more > 0 {
		w.Start("li").Element("a", "and "+counted(more, "more server", "more servers"), "href", q.link("/failures")).End()
	}
	w.End()
}

// writeNumbers writes the numbers of the span.
func (q *request) writeNumbers(w *html.Writer) {
	total, counts := q.summary().total, q.board().counts()
	w.Start("dl", "class", "numbers")
	number := func(name, value, more, class string) {
		w.Start("div", html.When(class != "", "class"), class).Element("dt", name)
		w.Start("dd").Element("strong", value).Text(" ").Element("small", more).End().End()
	}
	number("Calls", short(total.calls), "in "+q.span.title, "")
	class := ""
	if total.failed > 0 {
		class = "bad"
	}
	number("Failed", short(total.failed), share(total.failed, total.calls)+" of calls", class)
	median, more := "–", "no calls yet"
	if total.times.Calls > 0 {
		median, more = took(total.times.P50), "p50; p95 is "+took(total.times.P95)
	}
	number("Typical call", median, more, "")
	number("Tokens of results", short(total.tokens), "shown to models", "")
	number("Servers running", short(counts["running"]), "of "+count(len(q.board().servers)-len(q.board().gone))+", "+count(counts["idle"])+" idle", "")
	w.End()
}

// writeToolboxes writes a card for each toolbox.
func (q *request) writeToolboxes(w *html.Writer) {
	b := q.board()
	if len(b.toolboxes) == 0 {
		w.Element("p", "No toolboxes yet: 'mcp-workbench init' imports the servers of your hosts.", "class", "empty")
		q.writeGone(w, b.gone)
		return
	}
	page := pageNumber(q.query.Get("page"), len(b.servers)-len(b.gone), serversShown)
	skipped, left := (page-1)*serversShown, serversShown
	w.Start("div", "class", "cards")
	for _, t := range b.toolboxes {
		servers := t.servers
		if skipped >= len(servers) && len(servers) > 0 {
			skipped -= len(servers)
			continue
		}
		if left <= 0 {
			break
		}
		servers = servers[skipped:]
		servers, skipped = servers[:min(len(servers), left)], 0
		left -= max(len(servers), 1)
		q.writeToolbox(w, t, servers)
	}
	w.End()
	q.writePages(w, page, len(b.servers)-len(b.gone), serversShown, "Pages of servers")
	q.writeGone(w, b.gone)
}

// writeGone writes the servers that are no longer configured, folded.
func (q *request) writeGone(w *html.Writer, gone []*server) {
	if len(gone) == 0 {
		return
	}
	w.Start("details").Element("summary", counted(len(gone), "server that was used is", "servers that were used are")+" not configured now").Start("ul")
	for _, s := range gone[:min(len(gone), serversShown)] {
		w.Start("li", "data-key", s.id.Path()).Start("a", "href", q.serverLink(s.id)).Element("bdi", s.id.Path()).End().Text(" ")
		writeFacts(w, q.summary().server(s.id))
		w.End()
	}
	w.End().End()
}

func (q *request) writeToolbox(w *html.Writer, t *toolbox, servers []*server) {
	w.Start("article", "class", "card", "data-key", t.name)
	w.Start("header").Start("h3").Element("bdi", t.name).End()
	if t.open > 0 {
		w.Element("span", "open in "+counted(t.open, "host", "hosts"), "class", "tag")
	}
	if t.description != "" {
		w.Element("p", cut(t.description, 200))
	}
	w.End().Start("ul", "class", "servers")
	for _, s := range servers {
		q.writeServer(w, s)
	}
	w.End().End()
}

func (q *request) writeServer(w *html.Writer, s *server) {
	f := q.summary().server(s.id)
	w.Start("li", "data-key", string(s.id.Server), "class", "server")
	w.Start("div", "class", "who")
	w.Start("a", "href", q.serverLink(s.id)).Element("bdi", string(s.id.Server)).End()
	s.writeState(w)
	w.End()
	f.spark(w)
	writeFacts(w, f)
	w.End()
}

// writeFacts writes the figures of a server or a tool in a line that can be broken between them.
func writeFacts(w *html.Writer, f *figures) {
	w.Start("p", "class", "facts")
	if f.calls == 0 {
		w.Text("no calls").End()
		return
	}
	w.Element("span", counted(f.calls, "call", "calls")).Text(" ")
	if f.failed > 0 {
		w.Element("span", count(f.failed)+nonBreaking+"failed", "class", "bad").Text(" ")
	}
	w.Element("span", "p95"+nonBreaking+took(f.times.P95)).End()
}

// writeState writes the state of a server as a sign and as text.
func (s *server) writeState(w *html.Writer) {
	text, class := s.state, strings.ReplaceAll(s.state, " ", "-")
	switch {
	case s.disabled:
		text, class = "disabled", "disabled"
	case s.state == "login":
		text = "needs a login"
	}
	if rankOf(s.state) == len(states) {
		class = "stopped"
	}
	if len(s.instances) > 1 {
		text += " ×" + strconv.Itoa(len(s.instances))
	}
	w.Element("span", text, "class", "state "+class)
}

func (q *request) serverLink(id domain.ServerID) string {
	return q.link("/server", "toolbox", string(id.Toolbox), "server", string(id.Server))
}

func (q *request) toolLink(id domain.ToolIdentifier) string {
	return q.link("/tool", "toolbox", string(id.Toolbox), "server", string(id.Server), "tool", id.Tool)
}

// writeNewest writes the newest calls.
func (q *request) writeNewest(w *html.Writer) {
	entries, more := q.history.newest(q.viewer, selection{kinds: []domain.ActivityKind{domain.ActivityCall}}, newestShown)
	q.writeCalls(w, entries, true)
	if more {
		w.Start("p", "class", "more").Element("a", "All calls", "href", q.link("/calls")).End()
	}
}

// writeRanked writes the tools that were called most.
func (q *request) writeRanked(w *html.Writer) {
	var ranked []*tool
	for id, f := range q.summary().tools {
		if !q.board().isGone(id) {
			ranked = append(ranked, &tool{id: id, figures: f})
		}
	}
	slices.SortFunc(ranked, func(a, b *tool) int {
		return cmp.Or(cmp.Compare(b.calls, a.calls), a.id.ServerID().Compare(b.id.ServerID()), cmp.Compare(a.id.Tool, b.id.Tool))
	})
	if len(ranked) == 0 {
		w.Element("p", "No calls in the last "+q.span.title+".", "class", "empty")
		return
	}
	w.Start("ol", "class", "ranked")
	for _, t := range ranked[:min(len(ranked), rankedShown)] {
		w.Start("li", "data-key", t.id.ServerID().Path()+"/"+t.id.Tool)
		w.Start("div", "class", "who").Start("a", "href", q.toolLink(t.id)).Element("bdi", t.id.Tool).End()
		w.Start("small").Element("bdi", t.id.ServerID().Path()).End().End()
		t.spark(w)
		writeFacts(w, t.figures)
		w.End()
	}
	w.End()
	w.Start("p", "class", "more").Element("a", "All tools", "href", q.link("/tools")).End()
}

// coarse returns a duration without seconds.
func coarse(d time.Duration) string {
	if d < time.Minute {
		return "under 1 min"
	}
	text := lasted(d.Truncate(time.Minute))
	return strings.TrimSuffix(text, " 0 s")
}

// cut cuts a text to a maximum number of characters.
func cut(text string, maximum int) string {
	runes := []rune(text[:min(len(text), 4*maximum)])
	if len(runes) <= maximum && len(text) <= 4*maximum {
		return text
	}
	return string(runes[:min(maximum, len(runes))]) + "…"
}
