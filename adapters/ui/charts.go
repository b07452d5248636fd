package ui

import (
	"fmt"
	"slices"
	"time"

	"mcp-workbench/adapters/ui/chart"
	"mcp-workbench/adapters/ui/html"
)

// writeCharts draws the calls and their latency in the span.
func (s *summary) writeCharts(w *html.Writer, now time.Time) {
	w.Start("div", "class", "charts")
	s.writeUse(w, now)
	s.writeLatency(w, now)
	w.End()
	s.writeTable(w, now)
}

func (s *summary) writeUse(w *html.Writer, now time.Time) {
	maximum := int(chart.Ceiling(float64(max(slices.Max(s.total.uses), 4))))
	titles := make([]string, s.span.intervals)
	for i, uses := range s.total.uses {
		if uses > 0 {
			titles[i] = fmt.Sprintf("%s: %s, %s failed", s.interval(i, now), counted(uses, "call", "calls"), count(s.total.failures[i]))
		}
	}
	w.Start("figure", "class", "chart use").Start("figcaption").Element("h3", "Calls")
	legend(w, "ok", "succeeded", "bad", "failed")
	w.End()
	plot(w, []string{short(maximum), short(maximum / 2), "0"}, s.ticks(now), func() {
		label := fmt.Sprintf("Calls in the last %s: %s, of which %s failed", s.span.title, count(s.total.calls), count(s.total.failed))
		chart.Bars(w, s.total.uses, s.total.failures, maximum, titles, label)
	})
	w.End()
}

// minLatency is the smallest beginning of the latency axis in milliseconds. The record has tenths.
const minLatency = 0.1

func (s *summary) writeLatency(w *html.Writer, now time.Time) {
	p50s, p95s := values(s.p50s, s.timed), values(s.p95s, s.timed)
	scale := chart.ScaleFor(minLatency, p50s, p95s)
	var marks []string
	for _, mark := range scale.Marks() {
		marks = append(marks, axisMark(mark))
	}
	titles := make([]string, s.span.intervals)
	for i, timed := range s.timed {
		if timed > 0 {
			titles[i] = fmt.Sprintf("%s: p50 %s, p95 %s", s.interval(i, now), took(s.p50s[i]), took(s.p95s[i]))
		}
	}
	w.Start("figure", "class", "chart latency").Start("figcaption").Element("h3", "Latency")
	legend(w, "p95", "p95: 95 of 100 calls took no longer", "p50", "p50: half of them")
	w.End()
	plot(w, marks, s.ticks(now), func() {
		label := fmt.Sprintf("Latency in the last %s: p50 %s, p95 %s", s.span.title, took(s.total.times.P50), took(s.total.times.P95))
		chart.Lines(w, []chart.Line{{Class: "p95", Values: p95s}, {Class: "p50", Values: p50s}}, scale, titles, label)
	})
	w.End()
}

// axisMark returns the text for a power of ten in milliseconds.
func axisMark(ms float64) string {
	if ms < 1000 {
		return trimmed(ms) + nonBreaking + "ms"
	}
	return count(int(ms/1000)) + nonBreaking + "s"
}

// values returns durations in milliseconds, -1 for intervals without calls.
func values(durations []time.Duration, uses []int) []float64 {
	values := make([]float64, len(durations))
	for i, d := range durations {
		values[i] = float64(d) / float64(time.Millisecond)
		if uses[i] == 0 {
			values[i] = -1
		}
	}
	return values
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// legend writes the meanings of the marks in a chart: classes and texts in turn.
func legend(w *html.Writer, marks ...string) {
	w.Start("p", "class", "legend")
	for i := 0; i+1 < len(marks); i += 2 {
		w.Start("span", "class", "mark "+marks[i]).Text(marks[i+1]).End().Text(" ")
	}
	w.End()
}

// plot writes a drawing and the texts of its axes. Screen readers get the label of the drawing instead.
func plot(w *html.Writer, y, x []string, draw func()) {
	w.Start("div", "class", "plot").Start("div", "class", "y", "aria-hidden", "true")
	for _, text := range y {
		w.Element("span", text)
	}
	w.End().Start("div", "class", "grid", "aria-hidden", "true")
	for range y {
		w.Element("i", "")
	}
	w.End()
	draw()
	w.Start("div", "class", "x", "aria-hidden", "true")
	for _, text := range x {
		w.Element("span", text)
	}
	w.End().End()
}

// ticks returns five times, from the beginning of the span to its end.
func (s *summary) ticks(now time.Time) []string {
	const ticks = 5
	texts := make([]string, ticks)
	for i := range texts {
		at := s.begin.Add(s.span.length * time.Duration(i) / (ticks - 1)).In(now.Location())
		texts[i] = at.Format("15:04")
		if s.span.length > 48*time.Hour {
			texts[i] = at.Format("Jan 2")
		}
	}
	return texts
}

// interval returns the beginning and end of an interval as text.
func (s *summary) interval(i int, now time.Time) string {
	begin := s.begin.Add(s.span.interval() * time.Duration(i)).In(now.Location())
	end := begin.Add(s.span.interval())
	if s.span.length > 24*time.Hour {
		return begin.Format("Jan 2 15:04") + "–" + end.Format("15:04")
	}
	return begin.Format("15:04") + "–" + end.Format("15:04")
}

// writeTable writes both charts as a table.
func (s *summary) writeTable(w *html.Writer, now time.Time) {
	w.Start("details", "class", "data").Element("summary", "Calls and latency as a table")
	if s.total.calls == 0 {
		w.Element("p", "No calls in the last "+s.span.title+".").End()
		return
	}
	w.Start("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Calls and latency").Start("table").Start("thead").Start("tr")
	for _, head := range []string{"Time", "Calls", "Failed", "p50", "p95"} {
		w.Element("th", head, "scope", "col", html.When(head != "Time", "class"), "n")
	}
	w.End().End().Start("tbody")
	for i, uses := range slices.Backward(s.total.uses) {
		if uses == 0 {
			continue
		}
		w.Start("tr").Element("th", s.interval(i, now), "scope", "row")
		for _, cell := range []string{count(uses), count(s.total.failures[i]), took(s.p50s[i]), took(s.p95s[i])} {
			w.Element("td", cell, "class", "n")
		}
		w.End()
	}
	w.End().End().End().End()
}

// spark draws the use of a server or tool, without texts, since the numbers are beside it.
func (f *figures) spark(w *html.Writer) {
	w.Start("span", "class", "spark")
	if f.calls > 0 {
		// Every other interval is enough for a drawing of this size.
		uses, failures := pairs(f.uses), pairs(f.failures)
		chart.Bars(w, uses, failures, slices.Max(uses), nil, "")
	}
	w.End()
}

// pairs returns the sums of each two neighbours.
func pairs(numbers []int) []int {
	sums := make([]int, (len(numbers)+1)/2)
	for i, n := range numbers {
		sums[i/2] += n
	}
	return sums
}
