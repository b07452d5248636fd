package ui

import (
	"cmp"
	"slices"
	"time"
	"unique"

	latency "mcp-workbench/adapters/observe/figures"
	"mcp-workbench/domain"
)

// figures are the numbers of a group of calls.
type figures struct {
	Calls, Failed  int
	Tokens         int
	sent, received int64
	last           time.Time
	// spent is the time of all calls together.
	spent time.Duration
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

// Spent returns the time of all calls together.
func (f *figures) Spent() time.Duration { return f.spent }

func (f *figures) add(e entry, interval int) {
	f.Calls += e.Calls
	f.uses[interval] += e.Calls
	if e.Outcome.IsTimed() {
		f.Times.Calls += e.Calls
	}
	if e.Outcome.HasFailed() {
		f.Failed += e.Calls
		f.failures[interval] += e.Calls
	}
	f.Tokens += e.Tokens
	f.spent += e.Duration * time.Duration(e.Calls)
	f.sent += int64(e.Sent)
	f.received += int64(e.Received)
	if e.Time.After(f.last) {
		f.last = e.Time
	}
}

// group has the numbers to which the calls of a tool are added.
type group struct{ tool, server *figures }

// timedCalls are a number of calls with the same duration.
type timedCalls struct {
	duration        time.Duration
	interval, calls int
	group           *group
}

// summarize returns the numbers of the calls in a scope that a viewer may see, without those of names that callers
// made up.
func (h *history) summarize(viewer Viewer, about scope, span span, now time.Time) *summary {
	h.mu.RLock()
	defer h.mu.RUnlock()
	s := &summary{
		span: span, begin: span.begin(now), total: *newFigures(span), outcomes: map[domain.Outcome]int{}, timed: make([]int, span.intervals),
		servers: map[domain.ServerID]*figures{}, tools: map[domain.ToolIdentifier]*figures{},
	}
	sees := filter(viewer, about)
	groups := map[unique.Handle[domain.ToolIdentifier]]*group{}
	var timed []timedCalls
	for _, e := range h.entries {
		since := e.Time.Sub(s.begin)
		if e.Kind != domain.ActivityCall || e.Unknown || since < 0 || since >= span.length || !sees(e) {
			continue
		}
		interval := int(since / span.interval())
		if groups[e.tool] == nil {
			groups[e.tool] = s.newGroup(e.Tool())
		}
		groups[e.tool].tool.add(e, interval)
		groups[e.tool].server.add(e, interval)
		if e.Outcome.IsTimed() {
			timed = append(timed, timedCalls{e.Duration, interval, e.Calls, groups[e.tool]})
			s.timed[interval] += e.Calls
		}
		s.total.add(e, interval)
		s.outcomes[e.Outcome] += e.Calls
	}
	s.measure(timed)
	return s
}

// newGroup returns the numbers of a tool and of its server, which it adds to the summary.
func (s *summary) newGroup(tool domain.ToolIdentifier) *group {
	if s.servers[tool.ServerID()] == nil {
		s.servers[tool.ServerID()] = newFigures(s.span)
	}
	s.tools[tool] = newFigures(s.span)
	return &group{s.tools[tool], s.servers[tool.ServerID()]}
}

// filter returns a function that reports whether an entry is in a scope and the viewer may see it.
func filter(viewer Viewer, about scope) func(entry) bool {
	return func(e entry) bool {
		tool := e.Tool()
		return about.has(tool) && viewer.sees(tool.Toolbox) && viewer.IsOwn(e.host.Value().identity)
	}
}

// measure computes p50 and p95 of all groups. It sorts the calls once and ranks them in each group in that order.
func (s *summary) measure(timed []timedCalls) {
	slices.SortFunc(timed, func(a, b timedCalls) int { return cmp.Compare(a.duration, b.duration) })
	intervals := make([]latency.Percentiles, s.span.intervals)
	for i := range intervals {
		intervals[i].Calls = s.timed[i]
	}
	for _, c := range timed {
		s.total.Times.Add(c.duration, c.calls)
		c.group.tool.Times.Add(c.duration, c.calls)
		c.group.server.Times.Add(c.duration, c.calls)
		intervals[c.interval].Add(c.duration, c.calls)
	}
	for _, interval := range intervals {
		s.p50s, s.p95s = append(s.p50s, interval.P50), append(s.p95s, interval.P95)
	}
}
