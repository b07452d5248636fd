package ui

import (
	"fmt"
	"html/template"
	"slices"
	"time"
)

// plot is a drawing with the texts of its axes. Screen readers get the label of the drawing instead.
type plot struct {
	Y, X    []string
	Drawing drawing
}

// row has the numbers of an interval.
type row struct {
	Interval      string
	Calls, Failed int
	P50, P95      time.Duration
}

// charts shows the calls and their latency in the span, as drawings and as a table.
func (s *summary) charts(q *request) template.HTML {
	var rows []row
	for i, uses := range slices.Backward(s.total.uses) {
		if uses > 0 {
			rows = append(rows, row{s.interval(i, q.now), uses, s.total.failures[i], s.p50s[i], s.p95s[i]})
		}
	}
	return render("charts", struct {
		*request
		Use, Latency plot
		Rows         []row
	}{q, s.use(q.now), s.latency(q.now), rows})
}

func (s *summary) use(now time.Time) plot {
	maximum := int(axisEnd(float64(max(slices.Max(s.total.uses), 4))))
	titles := make([]string, s.span.intervals)
	for i, uses := range s.total.uses {
		if uses > 0 {
			titles[i] = fmt.Sprintf("%s: %s, %s failed", s.interval(i, now), quantity(uses, "call", "calls"), count(s.total.failures[i]))
		}
	}
	label := fmt.Sprintf("Calls in the last %s: %s, of which %s failed", s.span.Title, count(s.total.Calls), count(s.total.Failed))
	return plot{[]string{short(maximum), short(maximum / 2), "0"}, s.ticks(now), barChart(s.total.uses, s.total.failures, maximum, titles, label)}
}

// minLatency is the smallest beginning of the latency axis in milliseconds. The record has tenths.
const minLatency = 0.1

func (s *summary) latency(now time.Time) plot {
	p50s, p95s := values(s.p50s, s.timed), values(s.p95s, s.timed)
	scale := newLogScale(minLatency, p50s, p95s)
	var marks []string
	for _, mark := range scale.marks() {
		marks = append(marks, axisMark(mark))
	}
	titles := make([]string, s.span.intervals)
	for i, timed := range s.timed {
		if timed > 0 {
			titles[i] = fmt.Sprintf("%s: p50 %s, p95 %s", s.interval(i, now), callTime(s.p50s[i]), callTime(s.p95s[i]))
		}
	}
	label := fmt.Sprintf("Latency in the last %s: p50 %s, p95 %s", s.span.Title, callTime(s.total.Times.P50), callTime(s.total.Times.P95))
	return plot{marks, s.ticks(now), lineChart([]chartLine{{Class: "p95", Values: p95s}, {Class: "p50", Values: p50s}}, scale, titles, label)}
}

// axisMark returns the text for a power of ten in milliseconds.
func axisMark(ms float64) string {
	if ms < 1000 {
		return decimal(ms) + nonBreaking + "ms"
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

// Spark draws the use of a server or tool that was called, without texts, since the numbers are beside it.
func (f *figures) Spark() drawing {
	// Every other interval is enough for a drawing of this size.
	uses, failures := pairs(f.uses), pairs(f.failures)
	return barChart(uses, failures, slices.Max(uses), nil, "")
}

// pairs returns the sums of each two neighbours.
func pairs(numbers []int) []int {
	sums := make([]int, (len(numbers)+1)/2)
	for i, n := range numbers {
		sums[i/2] += n
	}
	return sums
}
