package ui

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// toolsShown is the number of tools on a page.
const toolsShown = 100

// defaultOrder is the name of the default order of tools.
const defaultOrder = "calls"

// toolOrders are the orders of tools, with their names in addresses and the titles and classes of their columns. All but
// the first have the largest value first.
var toolOrders = []struct {
	name, title, class string
	value              func(*tool) int64
}{
	{"name", "Tool", "tool", nil},
	{defaultOrder, "Calls", "n", func(t *tool) int64 { return int64(t.Calls) }},
	{"failed", "Failed", "n", func(t *tool) int64 { return int64(t.Failed) }},
	{"p50", "p50", "n wide-only", func(t *tool) int64 { return int64(t.Times.P50) }},
	{"p95", "p95", "n", func(t *tool) int64 { return int64(t.Times.P95) }},
	{"results", "Tokens of results", "n wide-only", func(t *tool) int64 { return int64(t.Tokens) }},
	{"cost", "Tokens of its definition", "n", func(t *tool) int64 { return int64(t.Cost) }},
}

// column is the heading of a column that sorts a table. Direction says how the column is sorted, "" if it is not.
type column struct{ Title, Class, Direction, Link string }

// toolTable has tools, of which some are rows of a table.
type toolTable struct {
	*request
	Tools, Rows []*tool
}

// member is a member of a query.
type member struct{ Name, Value string }

// toolList is the content of the page of tools.
type toolList struct {
	toolTable
	Never     []*tool
	NeverOnly bool
	Search    string
	// Gone is the number of tools of servers that are not configured now.
	Gone     int
	Kept     []member
	Pages    pageLinks
	LeaveOut []leftOut
}

// toolsPage lists tools with their numbers and their costs.
func toolsPage(q *request) *page {
	known := q.tools()
	tools := slices.DeleteFunc(slices.Clone(known), func(t *tool) bool { return q.board().isGone(t.ID) })
	never := slices.DeleteFunc(slices.Clone(tools), func(t *tool) bool { return t.Calls > 0 || !t.IsListed })
	shown := toolList{toolTable: toolTable{request: q, Tools: tools}, Never: never, NeverOnly: q.query.Get("show") == "never", Search: q.query.Get("q"), Gone: len(known) - len(tools)}
	for _, name := range []string{"show", "sort", "since"} {
		if value := q.query.Get(name); value != "" {
			shown.Kept = append(shown.Kept, member{name, value})
		}
	}
	matching := slices.Clone(tools)
	if shown.NeverOnly {
		matching = slices.Clone(never)
	}
	about, search := q.scope(), strings.ToLower(strings.TrimSpace(shown.Search))
	matching = slices.DeleteFunc(matching, func(t *tool) bool {
		return !about.has(t.ID) || !strings.Contains(strings.ToLower(t.ID.ServerID().Path()+"/"+t.ID.Tool), search)
	})
	if shown.NeverOnly {
		shown.LeaveOut = q.board().leaveOut(matching, tools)
	}
	q.sortTools(matching)
	at := pageNumber(q.query.Get("page"), len(matching), toolsShown)
	shown.Rows = matching[min((at-1)*toolsShown, len(matching)):min(at*toolsShown, len(matching))]
	shown.Pages = q.pageLinks(at, len(matching), toolsShown, "Pages of tools")
	return &page{Title: "Tools", Section: "/tools", Spanned: true, Parts: []part{{ID: "tools", Wide: true, Content: render("tools", shown)}}}
}

// sortTools sorts tools, which must be sorted by name, by the column that the query names.
func (q *request) sortTools(tools []*tool) {
	for _, order := range toolOrders {
		if order.name == cmp.Or(q.query.Get("sort"), defaultOrder) && order.value != nil {
			slices.SortStableFunc(tools, func(a, b *tool) int { return cmp.Compare(order.value(b), order.value(a)) })
		}
	}
}

// Columns returns the headings of a table of tools.
func (q *request) Columns() []column {
	var columns []column
	for _, order := range toolOrders {
		values := maps.Clone(q.query)
		values.Del("page")
		values.Set("sort", order.name)
		heading := column{Title: order.title, Class: order.class, Link: relative(q.path) + "?" + values.Encode()}
		switch {
		case order.name != cmp.Or(q.query.Get("sort"), defaultOrder):
		case order.value == nil:
			heading.Direction = "ascending"
		default:
			heading.Direction = "descending"
		}
		columns = append(columns, heading)
	}
	return columns
}
