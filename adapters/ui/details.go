package ui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html/template"
	"slices"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

const (
	// maxDefinition is the maximum size of a definition that is shown, in bytes.
	maxDefinition = 64 << 10
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
	var own []*tool
	for _, t := range q.tools() {
		if t.ID.ServerID() == id {
			own = append(own, t)
		}
	}
	q.sortTools(own)
	return &page{Title: id.Path(), Section: "/", Spanned: true, Changing: true, Parts: []part{
		{ID: "state", Wide: true, Content: render("server-state", struct {
			*request
			Server    *server
			Instances []instance
		}{q, s, s.instances[:min(len(s.instances), workbenchesShown)]})},
		{ID: "time", Title: "Over time", Wide: true, Content: q.summarize(scope{toolbox: about.toolbox, server: about.server}).charts(q)},
		{ID: "stderr", Title: "End of stderr", Wide: true, Content: render("stderr", q.stderr(id))},
		{ID: "events", Title: "Starts, ends and failures", Wide: true, Content: render("server-events", list{request: q, Entries: q.events(about)})},
		{ID: "tools", Title: "Tools", Wide: true, Content: render("server-tools", toolTable{q, own, own[:min(len(own), 2*toolsShown)]})},
	}}
}

// HostName returns the name of the host to which a server belongs.
func (i instance) HostName() string { return hostName(i.host) }

// hostName returns the name of a host, with that of its session in a shell.
func hostName(host *status.Host) string {
	name := caller{host.Name, host.Version, host.Identity}.String()
	if host.Session != "" {
		name += " " + domain.QuotedName(host.Session)
	}
	return name
}

// stderr returns the last lines that a server wrote to stderr.
func (q *request) stderr(id domain.ServerID) []string {
	var lines []string
	for _, line := range q.observed.stderr(q.ctx, id, q.viewer) {
		lines = append(lines, shownLine(line))
	}
	return lines
}

// shownLine returns a line of stderr without the sequences for colours.
func shownLine(line string) string { return domain.CutCharacters(domain.ShownText(line), 2000) + "\n" }

// events returns the starts and ends of a server, and its failed calls.
func (q *request) events(about scope) []entry {
	starts := []domain.ActivityKind{domain.ActivityStart, domain.ActivityRestart, domain.ActivityEnd}
	events, _ := q.history.newest(q.viewer, selection{scope: about, kinds: starts}, lastShown/2)
	failures, _ := q.history.newest(q.viewer, selection{scope: about, kinds: []domain.ActivityKind{domain.ActivityCall}, failedOnly: true}, lastShown/2)
	return slices.SortedFunc(slices.Values(append(events, failures...)), func(a, b entry) int { return cmp.Compare(b.Number, a.Number) })
}

// toolPage shows one tool.
func toolPage(q *request) *page {
	about := q.scope()
	id := domain.ToolIdentifier{Toolbox: domain.ToolboxName(about.toolbox), Server: domain.ServerName(about.server), Tool: about.tool}
	numbers := q.summarize(about)
	found := &tool{ID: id, figures: &numbers.total}
	for _, listed := range q.observed.listedTools(q.ctx) {
		if listed.ID == id && q.viewer.sees(id.Toolbox) {
			found.list(listed)
		}
	}
	calls, _ := q.history.newest(q.viewer, selection{scope: about, kinds: []domain.ActivityKind{domain.ActivityCall}}, lastShown)
	if about.tool == "" || !found.IsListed && len(calls) == 0 {
		return notFound()
	}
	parts := []part{
		{ID: "about", Wide: true, Content: render("tool-facts", struct {
			*request
			Tool *tool
		}{q, found})},
		{ID: "time", Title: "Over time", Wide: true, Content: numbers.charts(q)},
	}
	if found.Definition != nil {
		parts = append(parts, part{ID: "definition", Title: "Definition", Wide: true, Content: found.shownDefinition()})
	}
	parts = append(parts, part{ID: "newest", Title: "Latest calls", Wide: true, Content: render("calls", list{request: q, Entries: calls})})
	return &page{Title: about.tool, Section: "/tools", Spanned: true, Changing: true, Parts: parts}
}

// shownDefinition shows the definition, and its JSON unless that is too large.
func (t *tool) shownDefinition() template.HTML {
	var indented bytes.Buffer
	if len(t.Definition) > maxDefinition || json.Indent(&indented, t.Definition, "", "  ") != nil {
		indented.Reset()
	}
	return render("definition", struct {
		definitions.Description
		JSON, Size string
	}{definitions.Describe(t.info()), indented.String(), size(int64(len(t.Definition)))})
}
