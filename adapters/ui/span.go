package ui

import "time"

// span says how far back a page looks, in intervals of the same length.
type span struct {
	// name is its value in addresses, Title its text on a page.
	name, Title string
	length      time.Duration
	intervals   int
}

// defaultSpan is the name of the default span.
const defaultSpan = "24h"

// spans are the spans that a page offers, the shortest first.
var spans = []span{
	{"1h", "1 hour", time.Hour, 60},
	{defaultSpan, "24 hours", 24 * time.Hour, 48},
	{"7d", "7 days", 7 * 24 * time.Hour, 56},
	{"30d", "30 days", 30 * 24 * time.Hour, 60},
}

func spanNamed(name string) span {
	for _, s := range spans {
		if s.name == name {
			return s
		}
	}
	return spanNamed(defaultSpan)
}

// interval returns the length of each interval.
func (s span) interval() time.Duration { return s.length / time.Duration(s.intervals) }

// begin returns when the first interval begins. Intervals begin at whole multiples of their length in the time
// zone of now, so that a chart does not change every second.
func (s span) begin(now time.Time) time.Time {
	_, offset := now.Zone()
	zone := time.Duration(offset) * time.Second
	end := now.Add(zone).Truncate(s.interval()).Add(-zone)
	if end.Before(now) {
		end = end.Add(s.interval())
	}
	return end.Add(-s.length)
}

func maxSpan() time.Duration { return spans[len(spans)-1].length }
