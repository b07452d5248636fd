package ui

import (
	"cmp"
	"slices"
	"time"

	latency "mcp-workbench/adapters/observe/figures"
	"mcp-workbench/domain"
)

// figures are the numbers of a group of calls.
type figures struct {
	Calls, Failed  int
	Tokens         int
	sent, received int64
	last           time.Time
	// Times are the percentiles of all calls but the refused and cancelled ones.
	Times latency.Percentiles
	// uses and failures are the numbers of calls and of failed calls in each interval of the span.
	uses, failures []int
}

// scope is the subject of a page: a toolbox, a server, a tool, or everything if it is empty.
type scope struct{ toolbox, server, tool string }

func (s scope) has(tool domain.ToolIdentifier) bool {
	return (s.toolbox == "" || s.toolbox == string(tool.Toolbox)) && (s.server == "" || s.server == string(tool.Server)) &&
		(s.tool == "" || s.tool == tool.Tool)
}

// summary has the numbers of the calls within a span.
type summary struct {
	span  span
	begin time.Time
	total figures
	// p50s, p95s and timed are the values for each interval.
	p50s, p95s []time.Duration
	timed      []int
	servers    map[domain.ServerID]*figures
	tools      map[domain.ToolIdentifier]*figures
	outcomes   map[domain.Outcome]int
}

// server returns the numbers of a server, which are 0 if there were no calls.
func (s *summary) server(id domain.ServerID) *figures {
	if found := s.servers[id]; found != nil {
		return found
	}
	return newFigures(s.span)
}

// tool returns the numbers of a tool, which are 0 if there were no calls.
func (s *summary) tool(id domain.ToolIdentifier) *figures {
	if found := s.tools[id]; found != nil {
		return found
	}
	return newFigures(s.span)
}

func newFigures(span span) *figures {
	intervals := make([]int, 2*span.intervals)
	return &figures{uses: intervals[:span.intervals:span.intervals], failures: intervals[span.intervals:]}
}

func (f *figures) add(m moment, interval int) {
	calls := int(m.calls)
	f.Calls += calls
	f.uses[interval] += calls
	if m.outcome.IsTimed() {
		f.Times.Calls += calls
	}
	if m.outcome.HasFailed() {
		f.Failed += calls
		f.failures[interval] += calls
	}
	f.Tokens += int(m.tokens)
	f.sent += int64(m.sent)
	f.received += int64(m.received)
	if m.at.After(f.last) {
		f.last = m.at
	}
}

// timedCalls are a number of calls with the same duration.
type timedCalls struct {
	took                  time.Duration
	tool, interval, calls int32
}

// summarize returns the numbers of the calls in a scope that a viewer may see.
func (h *history) summarize(viewer Viewer, about scope, span span, now time.Time) *summary {
	h.mu.RLock()
	defer h.mu.RUnlock()
	s := &summary{
		span: span, begin: span.begin(now), total: *newFigures(span), outcomes: map[domain.Outcome]int{}, timed: make([]int, span.intervals),
		servers: map[domain.ServerID]*figures{}, tools: map[domain.ToolIdentifier]*figures{},
	}
	sees := h.filter(viewer, about)
	byTool := make([]*figures, len(h.tools.values))
	byServer := make([]*figures, len(h.tools.values))
	var timed []timedCalls
	for _, m := range h.moments {
		since := m.at.Sub(s.begin)
		if m.kind != domain.ActivityCall || since < 0 || since >= span.length || !sees(m) {
			continue
		}
		interval := int(since / span.interval())
		if m.outcome.IsTimed() {
			timed = append(timed, timedCalls{m.took, m.tool, int32(interval), m.calls}) // #nosec G115 -- there are few intervals
			s.timed[interval] += int(m.calls)
		}
		if byTool[m.tool] == nil && !m.unknown {
			tool := h.tools.values[m.tool]
			byTool[m.tool] = newFigures(span)
			s.tools[tool] = byTool[m.tool]
			if s.servers[tool.ServerID()] == nil {
				s.servers[tool.ServerID()] = newFigures(span)
			}
			byServer[m.tool] = s.servers[tool.ServerID()]
		}
		if byTool[m.tool] != nil {
			byTool[m.tool].add(m, interval)
			byServer[m.tool].add(m, interval)
		}
		s.total.add(m, interval)
		s.outcomes[m.outcome] += int(m.calls)
	}
	s.measure(timed, byTool, byServer)
	return s
}

// filter returns a function that reports whether an entry is in a scope and the viewer may see it. The caller
// holds the lock.
func (h *history) filter(viewer Viewer, about scope) func(moment) bool {
	tools, hosts := make([]bool, len(h.tools.values)), make([]bool, len(h.callers.values))
	for i, tool := range h.tools.values {
		tools[i] = about.has(tool) && viewer.sees(tool.Toolbox)
	}
	for i, host := range h.callers.values {
		hosts[i] = viewer.IsOwn(host.identity)
	}
	return func(m moment) bool { return tools[m.tool] && hosts[m.host] }
}

// measure computes p50 and p95 of all groups. It sorts the calls once and ranks them in each group in that order.
func (s *summary) measure(timed []timedCalls, byTool, byServer []*figures) {
	slices.SortFunc(timed, func(a, b timedCalls) int { return cmp.Compare(a.took, b.took) })
	intervals := make([]latency.Percentiles, s.span.intervals)
	for i := range intervals {
		intervals[i].Calls = s.timed[i]
	}
	for _, c := range timed {
		calls := int(c.calls)
		s.total.Times.Add(c.took, calls)
		if byTool[c.tool] != nil {
			byTool[c.tool].Times.Add(c.took, calls)
			byServer[c.tool].Times.Add(c.took, calls)
		}
		intervals[c.interval].Add(c.took, calls)
	}
	for _, interval := range intervals {
		s.p50s, s.p95s = append(s.p50s, interval.P50), append(s.p95s, interval.P95)
	}
}
