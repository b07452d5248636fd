package ui

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/adapters/ui/html"
)

// toolsShown is the number of tools on a page.
const toolsShown = 100

// defaultOrder is the name of the default order of tools.
const defaultOrder = "calls"

// toolOrders are the orders of tools, with their names in addresses. All but the first have the largest value first.
var toolOrders = []struct {
	name   string
	column column
	value  func(*tool) int64
}{
	{"name", column{"Tool", "tool"}, nil},
	{defaultOrder, column{"Calls", "n"}, func(t *tool) int64 { return int64(t.calls) }},
	{"failed", column{"Failed", "n"}, func(t *tool) int64 { return int64(t.failed) }},
	{"p50", column{"p50", "n wide-only"}, func(t *tool) int64 { return int64(t.times.P50) }},
	{"p95", column{"p95", "n"}, func(t *tool) int64 { return int64(t.times.P95) }},
	{"results", column{"Tokens of results", "n wide-only"}, func(t *tool) int64 { return int64(t.tokens) }},
	{"cost", column{"Tokens of its definition", "n"}, func(t *tool) int64 { return int64(t.cost) }},
}

// toolsPage lists tools with their numbers and their costs.
func toolsPage(q *request) *page {
	return &page{
		title: "Tools", path: "/tools", spanned: true,
		parts: []part{{id: "tools", wide: true, write: q.writeTools}},
	}
}

func (q *request) writeTools(w *html.Writer) {
	known := q.tools()
	tools := slices.DeleteFunc(slices.Clone(known), func(t *tool) bool { return q.board().isGone(t.id) })
	never := slices.DeleteFunc(slices.Clone(tools), func(t *tool) bool { return t.calls > 0 || !t.isListed })
	neverOnly, search := q.query.Get("show") == "never", strings.ToLower(strings.TrimSpace(q.query.Get("q")))
	w.Start("p").Text(counted(len(tools), "tool", "tools") + ", whose definitions take about " + count(costs(tools)) + " tokens. ")
	w.Text(count(len(never)) + " of them, with " + count(costs(never)) + " tokens, were not called in the last " + q.span.title + ".")
	if gone := len(known) - len(tools); gone > 0 {
		w.Text(" " + counted(gone, "tool", "tools") + " of servers that are not configured now " + isOrAre(gone) + " left out.")
	}
	w.End()
	q.writeToolFilter(w, neverOnly)
	shown := tools
	if neverOnly {
		shown = never
	}
	about := q.scope()
	shown = slices.DeleteFunc(shown, func(t *tool) bool {
		return !about.has(t.id) || !strings.Contains(strings.ToLower(t.id.ServerID().Path()+"/"+t.id.Tool), search)
	})
	q.sortTools(shown)
	page := pageNumber(q.query.Get("page"), len(shown), toolsShown)
	q.writeToolTable(w, shown[min((page-1)*toolsShown, len(shown)):min(page*toolsShown, len(shown))])
	q.writePages(w, page, len(shown), toolsShown, "Pages of tools")
	if neverOnly && len(shown) > 0 {
		q.writeLeavingOut(w, shown, tools)
	}
}

func isOrAre(number int) string {
	if number == 1 {
		return "is"
	}
	return "are"
}

func (q *request) writeToolFilter(w *html.Writer, neverOnly bool) {
	w.Start("div", "class", "filter").Start("nav", "class", "spans", "aria-label", "Which tools").Start("ul")
	w.Start("li").Element("a", "All tools", "href", q.link("/tools", "q", q.query.Get("q")), html.When(!neverOnly, "aria-current"), "true").End()
	w.Start("li").Element("a", "Never used", "href", q.link("/tools", "q", q.query.Get("q"), "show", "never"), html.When(neverOnly, "aria-current"), "true").End()
	w.End().End()
	w.Start("form", "action", relative(q.path), "method", "get", "role", "search")
	w.Element("label", "Find a tool", "for", "q")
	w.Void("input", "type", "search", "id", "q", "name", "q", "value", q.query.Get("q"), "autocomplete", "off", "spellcheck", "false")
	for _, name := range []string{"show", "sort", "since"} {
		if value := q.query.Get(name); value != "" {
			w.Void("input", "type", "hidden", "name", name, "value", value)
		}
	}
	w.Element("button", "Find", "type", "submit").End().End()
}

// sortTools sorts tools, which must be sorted by name, by the column that the query names.
func (q *request) sortTools(tools []*tool) {
	for _, order := range toolOrders {
		if order.name == cmp.Or(q.query.Get("sort"), defaultOrder) && order.value != nil {
			slices.SortStableFunc(tools, func(a, b *tool) int { return cmp.Compare(order.value(b), order.value(a)) })
		}
	}
}

func (q *request) writeToolTable(w *html.Writer, tools []*tool) {
	if len(tools) == 0 {
		w.Element("p", "No tool matches.", "class", "empty")
		return
	}
	t := beginTable(w, "tools", "Tools with their calls and costs. Headings are links that sort.")
	sorted := cmp.Or(q.query.Get("sort"), defaultOrder)
	for _, order := range toolOrders {
		direction := "descending"
		if order.value == nil {
			direction = "ascending"
		}
		values := maps.Clone(q.query)
		values.Del("page")
		values.Set("sort", order.name)
		w.Start("th", "role", "columnheader", "scope", "col", "class", order.column.class, html.When(order.name == sorted, "aria-sort"), direction)
		w.Element("a", order.column.title, "href", relative(q.path)+"?"+values.Encode()).End()
	}
	t.body()
	for _, tool := range tools {
		q.writeToolRow(t, tool)
	}
	t.end()
}

func (q *request) writeToolRow(t grid, one *tool) {
	w := t.w
	t.row("")
	t.head("tool").Start("a", "href", q.toolLink(one.id)).Element("bdi", one.id.Tool).End().Text(" ")
	w.Start("small").Element("bdi", one.id.ServerID().Path()).End()
	if summary := one.summary(); summary != "" {
		w.Element("p", cut(summary, 140))
	}
	w.End()
	calls, failed, p50, p95, tokens := count(one.calls), count(one.failed), took(one.times.P50), took(one.times.P95), count(one.tokens)
	if one.calls == 0 {
		calls, failed, p50, p95, tokens = "never", "–", "–", "–", "–"
	}
	cost := "–"
	if one.isListed {
		cost = count(one.cost)
	}
	failedClass := "n"
	if one.failed > 0 {
		failedClass = "n bad"
	}
	t.cell("n", "calls").Text(calls)
	one.spark(w)
	w.End()
	t.text(failedClass, "failed", failed)
	t.text("n wide-only", "", p50)
	t.text("n", "p95", p95)
	t.text("n wide-only", "", tokens)
	t.text("n", "cost", cost)
	w.End()
}
