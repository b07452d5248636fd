package ui

import (
	"bytes"
	"encoding/json"
	"strconv"

	"mcp-workbench/adapters/ui/html"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

const (
	// maxDefinition is the maximum size of a definition that is shown, in bytes, maxDescription that of a
	// description, in characters.
	maxDefinition  = 64 << 10
	maxDescription = 20_000
	// lastShown is the number of calls and failures on the page of a server or of a tool.
	lastShown = 20
)

// serverPage shows one server.
func serverPage(q *request) *page {
	about := q.scope()
	id := domain.ServerID{Toolbox: domain.ToolboxName(about.toolbox), Server: domain.ServerName(about.server)}
	s := q.board().servers[id]
	if s == nil {
		return notFound()
	}
	numbers := q.summarize(scope{toolbox: about.toolbox, server: about.server})
	var own []*tool
	for _, t := range q.tools() {
		if t.id.ServerID() == id {
			own = append(own, t)
		}
	}
	q.sortTools(own)
	return &page{
		title: id.Path(), path: "/", spanned: true, changing: true,
		parts: []part{
			{id: "state", wide: true, write: func(w *html.Writer) { q.writeInstances(w, s) }},
			{id: "time", title: "Over time", wide: true, write: func(w *html.Writer) { numbers.writeCharts(w, q.now) }},
			{id: "stderr", title: "End of stderr", wide: true, write: func(w *html.Writer) { q.writeStderr(w, id) }},
			{id: "events", title: "Starts, ends and failures", wide: true, write: func(w *html.Writer) { q.writeEvents(w, about) }},
			{id: "tools", title: "Tools", wide: true, write: func(w *html.Writer) {
				w.Element("p", counted(len(own), "tool", "tools")+", whose definitions take about "+count(costs(own))+" tokens.")
				q.writeToolTable(w, own[:min(len(own), 2*toolsShown)])
			}},
		},
	}
}

// writeInstances writes the state of a server and where it runs.
func (q *request) writeInstances(w *html.Writer, s *server) {
	w.Start("p")
	s.writeState(w)
	if s.transport != "" {
		w.Text(" · " + s.transport)
	}
	if s.restarts() > 0 {
		w.Text(" · restarted " + counted(s.restarts(), "time", "times"))
	}
	w.End()
	if len(s.instances) == 0 {
		return
	}
	t := newTable(w, "hosts", "Where the server runs", []column{
		{"Host", ""}, {"State", ""}, {"Up for", ""}, {"Process", "n wide-only"}, {"Memory", "n"}, {"Calls", "n"}, {"Failed", "n"}, {"p95", "n wide-only"},
	})
	for _, i := range s.instances[:min(len(s.instances), workbenchesShown)] {
		q.writeInstance(t, i)
	}
	t.end()
}

func (q *request) writeInstance(t grid, i instance) {
	up, pid, memory, p95 := "–", "–", "–", "–"
	if i.Since != nil {
		up = coarse(q.now.Sub(*i.Since))
	}
	if i.PID > 0 && q.viewer.Everything {
		pid = strconv.Itoa(i.PID)
	}
	if i.Memory != nil {
		memory = size(*i.Memory)
	}
	if i.P95 != nil {
		p95 = took(milliseconds(*i.P95))
	}
	t.row("")
	t.head("").Element("bdi", hostName(Entry{Host: i.host.Name, Version: i.host.Version, Identity: i.host.Identity})).End()
	t.text("", "", i.State)
	t.text("", "up for", up)
	t.text("n wide-only", "", pid)
	t.text("n", "memory", memory)
	t.text("n", "calls", count(int(i.Calls)))
	t.text("n", "failed", count(int(i.Errors)))
	t.text("n wide-only", "", p95)
	t.w.End()
}

func (q *request) writeStderr(w *html.Writer, id domain.ServerID) {
	lines := q.pages.observed.stderr(q.ctx, id, q.viewer)
	if len(lines) == 0 {
		w.Element("p", "Its stderr is not known.", "class", "empty")
		return
	}
	w.Start("pre", "class", "log", "tabindex", "0", "role", "region", "aria-label", "End of stderr")
	for _, line := range lines {
		w.Text(shownLine(line))
	}
	w.End()
}

// shownLine returns a line of stderr without the sequences for colours.
func shownLine(line string) string { return cut(domain.ShownText(line), 2000) + "\n" }

// writeEvents writes the starts and ends of a server, and its failed calls.
func (q *request) writeEvents(w *html.Writer, about scope) {
	starts := []domain.ActivityKind{domain.ActivityStart, domain.ActivityRestart, domain.ActivityEnd}
	events, _ := q.history.newest(q.viewer, selection{scope: about, kinds: starts}, lastShown/2)
	failures, _ := q.history.newest(q.viewer, selection{scope: about, kinds: []domain.ActivityKind{domain.ActivityCall}, failedOnly: true}, lastShown/2)
	q.writeHappened(w, merged(events, failures))
	w.Start("p", "class", "more").Element("a", "All of its calls", "href", q.link("/calls", "toolbox", about.toolbox, "server", about.server, "tool", about.tool)).End()
}

// merged returns two lists as one, the newest first.
func merged(a, b []numbered) []numbered {
	var both []numbered
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].number > b[0].number {
			both, a = append(both, a[0]), a[1:]
		} else {
			both, b = append(both, b[0]), b[1:]
		}
	}
	return both
}

// kinds are the shown names of the kinds of activity.
var kinds = map[domain.ActivityKind]string{
	domain.ActivityCall: "call", domain.ActivityOpen: "opening", domain.ActivityStart: "start", domain.ActivityRestart: "restart", domain.ActivityEnd: "end",
}

func (q *request) writeHappened(w *html.Writer, entries []numbered) {
	if len(entries) == 0 {
		w.Element("p", "The record has nothing about it.", "class", "empty")
		return
	}
	t := newTable(w, "calls happened", "What happened, the newest first", []column{{"Time", "time"}, {"What", ""}, {"About", "tool"}, {"Outcome", "outcome"}, {"Took", "n took"}})
	for _, e := range entries {
		t.row(strconv.FormatUint(e.number, 10))
		t.cell("time", "")
		writeTime(w, e.Time, q.now)
		w.End()
		t.text("kind", "", kinds[e.Kind])
		t.head("tool")
		q.writeToolName(w, e.Entry)
		w.End()
		t.cell("outcome", "")
		writeOutcome(w, e.Entry)
		w.End()
		t.text("n took", "", took(e.Took))
		w.End()
	}
	t.end()
}

// toolPage shows one tool.
func toolPage(q *request) *page {
	about := q.scope()
	id := domain.ToolIdentifier{Toolbox: domain.ToolboxName(about.toolbox), Server: domain.ServerName(about.server), Tool: about.tool}
	numbers := q.summarize(about)
	found := &tool{id: id, figures: &numbers.total}
	for _, listed := range q.pages.observed.listedTools(q.ctx) {
		if listed.ID == id && q.viewer.sees(id.Toolbox) {
			found.list(listed)
		}
	}
	calls, _ := q.history.newest(q.viewer, selection{scope: about, kinds: []domain.ActivityKind{domain.ActivityCall}}, lastShown)
	if about.tool == "" || !found.isListed && len(calls) == 0 {
		return notFound()
	}
	parts := []part{
		{id: "about", wide: true, write: func(w *html.Writer) { q.writeToolFacts(w, found) }},
		{id: "time", title: "Over time", wide: true, write: func(w *html.Writer) { numbers.writeCharts(w, q.now) }},
	}
	if found.definition != nil {
		parts = append(parts, part{id: "definition", title: "Definition", wide: true, write: found.writeDefinition})
	}
	parts = append(parts, part{id: "newest", title: "Latest calls", wide: true, write: func(w *html.Writer) { q.writeCalls(w, calls, false) }})
	return &page{title: about.tool, path: "/tools", spanned: true, changing: true, parts: parts}
}

func (q *request) writeToolFacts(w *html.Writer, t *tool) {
	w.Start("p").Text("A tool of ").Start("a", "href", q.serverLink(t.id.ServerID())).Element("bdi", t.id.ServerID().Path()).End()
	switch {
	case t.definition != nil:
		w.Text(". Its definition takes about " + counted(t.cost, "token", "tokens") + ".")
	case t.isListed:
		w.Text(". Its definition takes about " + counted(t.cost, "token", "tokens") + ". It is shown here while its server runs.")
	default:
		w.Text(". Its definition is not known.")
	}
	w.End().Start("dl", "class", "numbers")
	for _, number := range [][2]string{
		{"Calls", count(t.calls)}, {"Failed", count(t.failed)}, {"p50", took(t.times.P50)}, {"p95", took(t.times.P95)}, {"Tokens of results", count(t.tokens)},
	} {
		w.Start("div").Element("dt", number[0]).Start("dd").Element("strong", number[1]).End().End()
	}
	w.End()
}

func (t *tool) writeDefinition(w *html.Writer) {
	described := definitions.Describe(t.info())
	w.Element("p", cut(described.Signature, maxDescription), "class", "signature")
	if described.Text != "" {
		w.Element("p", cut(described.Text, maxDescription), "class", "prose")
	}
	if len(described.Parameters) > 0 {
		w.Start("dl", "class", "parameters")
		for _, parameter := range described.Parameters {
			w.Element("dt", cut(parameter.Text, 1000)).Element("dd", cut(parameter.Description, 4000))
		}
		w.End()
	}
	var indented bytes.Buffer
	if len(t.definition) > maxDefinition || json.Indent(&indented, t.definition, "", "  ") != nil {
		w.Element("p", "The definition as JSON takes "+size(int64(len(t.definition)))+": 'mcp-workbench list "+"TOOLBOX/SERVER/TOOL --json' prints it.")
		return
	}
	w.Start("details").Element("summary", "As the server wrote it, "+size(int64(len(t.definition)))).Element("pre", indented.String(), "tabindex", "0", "role", "region", "aria-label", "Definition as JSON").End()
}
