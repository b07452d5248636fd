package ui

import (
	"cmp"
	"html/template"
	"maps"
	"slices"

	"mcp-workbench/domain"
)

const (
	// costlyShown is the number of servers that are listed by their costs, idleShown the number of those without a call.
	costlyShown = 8
	idleShown   = 12
)

// costOrder is the order by time in the query of the overview. The other one is by context.
const costOrder = "time"

// serverCost has the costs of a server in the span.
type serverCost struct {
	ID domain.ServerID
	*figures
	// Defined is about the number of tokens of the definitions of its tools.
	Defined int
	// Last is its last failure, nil for none.
	Last *entry
}

// serverCosts are the servers that cost most, and those without a call.
type serverCosts struct {
	*request
	Costly              []serverCost
	Idle                []*server
	MoreCostly          int
	MoreIdle            int
	ByTime              bool
	ByContext, ByTiming string // the addresses of both orders
}

// serverCosts shows the configured servers that cost most, by context or by time, and those without a call.
func (q *request) serverCosts() template.HTML {
	b, s := q.board(), q.summary()
	defined := map[domain.ServerID]int{}
	for _, tool := range q.tools() {
		defined[tool.ID.ServerID()] += tool.Cost
	}
	last := q.history.lastFailures(q.viewer, scope{})
	shown := serverCosts{request: q, ByTime: q.query.Get("costs") == costOrder}
	for _, configured := range slices.SortedFunc(maps.Values(b.servers), func(x, y *server) int { return x.ID.Compare(y.ID) }) {
		if configured.State == stateGone {
			continue
		}
		cost := serverCost{ID: configured.ID, figures: s.server(configured.ID), Defined: defined[configured.ID]}
		if failure, hasFailed := last[configured.ID]; hasFailed {
			cost.Last = &failure
		}
		switch {
		case cost.Calls > 0 || cost.Last != nil:
			shown.Costly = append(shown.Costly, cost)
		case !configured.disabled:
			shown.Idle = append(shown.Idle, configured)
		}
	}
	slices.SortStableFunc(shown.Costly, func(x, y serverCost) int {
		byTime, byContext := cmp.Compare(y.spent, x.spent), cmp.Compare(y.Tokens+y.Defined, x.Tokens+x.Defined)
		if shown.ByTime {
			return cmp.Or(byTime, byContext)
		}
		return cmp.Or(byContext, byTime)
	})
	shown.MoreCostly, shown.MoreIdle = max(len(shown.Costly)-costlyShown, 0), max(len(shown.Idle)-idleShown, 0)
	shown.Costly, shown.Idle = shown.Costly[:len(shown.Costly)-shown.MoreCostly], shown.Idle[:len(shown.Idle)-shown.MoreIdle]
	shown.ByContext, shown.ByTiming = q.Link("/"), q.Link("/", "costs", costOrder)
	return render("costs", shown)
}
