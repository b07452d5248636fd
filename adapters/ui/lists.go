package ui

import (
	"maps"
	"strconv"
	"time"

	"mcp-workbench/adapters/ui/html"
	"mcp-workbench/domain"
)

// outcomes are the shown names of outcomes.
var outcomes = map[domain.Outcome]string{
	domain.OutcomeOK: "ok", domain.OutcomeToolError: "tool error", domain.OutcomeError: "error", domain.OutcomeRefused: "refused",
	domain.OutcomeDeclined: "declined", domain.OutcomeCancelled: "cancelled", domain.OutcomeTimeout: "timeout",
}

// writeCalls writes calls as a table, which has fewer columns if brief is set.
func (q *request) writeCalls(w *html.Writer, entries []numbered, brief bool) {
	if len(entries) == 0 {
		w.Element("p", "No calls yet. They appear here as they end.", "class", "empty")
		return
	}
	columns := []column{{"Time", "time"}, {"Tool", "tool"}, {"Outcome", "outcome"}, {"Took", "n took"}}
	if !brief {
		columns = append(columns, column{"Arguments", "n wide-only"}, column{"Result", "n wide-only"}, column{"Tokens", "n wide-only"}, column{"Host", "host"})
	}
	t := newTable(w, "calls", "Calls, the newest first", columns)
	for _, e := range entries {
		t.row(strconv.FormatUint(e.number, 10))
		q.writeCall(t, e.Entry, brief)
		w.End()
	}
	t.end()
}

// writeCall writes the cells of a call.
func (q *request) writeCall(t grid, e Entry, brief bool) {
	t.cell("time", "")
	writeTime(t.w, e.Time, q.now)
	t.w.End()
	t.head("tool")
	q.writeToolName(t.w, e)
	t.w.End()
	t.cell("outcome", "")
	writeOutcome(t.w, e)
	t.w.End()
	t.text("n took", "", took(e.Took))
	if brief {
		return
	}
	t.text("n wide-only", "", size(int64(e.Sent)))
	t.text("n wide-only", "", size(int64(e.Received)))
	t.text("n wide-only", "", count(e.Tokens))
	t.cell("host", "").Element("bdi", hostName(e)).End()
}

// writeToolName writes the subject of an entry, as a link if it exists.
func (q *request) writeToolName(w *html.Writer, e Entry) {
	name := e.Tool.Tool
	if name == "" {
		name = string(e.Tool.Server)
	}
	switch {
	case e.Unknown:
		// The toolbox of a tool that exists may have been closed.
		what, path := "no open tool has this name", e.Tool.ServerID().Path()+"/"+name
		if e.Kind == domain.ActivityOpen {
			what, path = "no toolbox has this name", string(e.Tool.Toolbox)
		}
		w.Element("bdi", path).Text(" ").Element("small", what)
		return
	case e.Tool.Tool != "":
		w.Start("a", "href", q.toolLink(e.Tool))
	case e.Tool.Server != "":
		w.Start("a", "href", q.serverLink(e.Tool.ServerID()))
	default:
		w.Element("bdi", string(e.Tool.Toolbox))
		return
	}
	w.Element("bdi", name).End().Text(" ").Start("small").Element("bdi", e.Tool.ServerID().Path()).End()
}

func writeOutcome(w *html.Writer, e Entry) {
	text, class := outcomes[e.Outcome], "good"
	if text == "" {
		text = cut(string(e.Outcome), 40)
	}
	switch {
	case e.Outcome.HasFailed():
		class = "bad"
	case e.Outcome.IsStopped():
		class = "calm"
	}
	if e.Code != 0 {
		text += " " + strconv.Itoa(e.Code)
	}
	if e.Calls > 1 {
		text = count(e.Calls) + " × " + text
	}
	w.Element("span", text, "class", "outcome "+class)
}

func writeTime(w *html.Writer, t, now time.Time) {
	w.Element("time", clock(t, now), "datetime", t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// hostName returns the name and version of an entry's host, or the identity of the caller if there is no name.
func hostName(e Entry) string {
	switch name := e.Host; {
	case name == "" && e.Identity == "":
		return "–"
	case name == "":
		return e.Identity
	case e.Version != "":
		return name + " " + e.Version
	default:
		return name
	}
}

// pageNumber returns the number of the page in a query, limited to the existing pages of a list.
func pageNumber(text string, total, perPage int) int {
	number, _ := strconv.Atoi(text)
	return min(max(number, 1), max((total+perPage-1)/perPage, 1))
}

// writePages writes links to the pages of a list, unless there is only one.
func (q *request) writePages(w *html.Writer, page, total, perPage int, label string) {
	last := pageNumber(strconv.Itoa(total), total, perPage)
	if last == 1 {
		return
	}
	query := func(number int) string {
		values := maps.Clone(q.query)
		values.Set("page", strconv.Itoa(number))
		return relative(q.path) + "?" + values.Encode()
	}
	w.Start("nav", "class", "pages", "aria-label", label)
	if page > 1 {
		w.Element("a", "Previous", "href", query(page-1), "rel", "prev")
	}
	w.Element("span", "Page "+count(page)+" of "+count(last))
	if page < last {
		w.Element("a", "Next", "href", query(page+1), "rel", "next")
	}
	w.End()
}
