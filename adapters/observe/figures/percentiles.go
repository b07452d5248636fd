package figures

import "time"

// Percentiles are the durations that 50 and 95 percent of calls did not exceed: the smallest ones for which that is
// true. Without calls they are 0, and so are the shortest and the longest duration.
type Percentiles struct {
	// Calls is the number of all calls. It must be set before the first Add.
	Calls                       int
	Shortest, P50, P95, Longest time.Duration

	added int
}

// Add adds calls with the same duration. Shorter calls must be added before longer ones.
func (p *Percentiles) Add(duration time.Duration, calls int) {
	before := p.added
	p.added += calls
	if p.Longest = duration; before == 0 {
		p.Shortest = duration
	}
	if median := (p.Calls + 1) / 2; before < median && median <= p.added {
		p.P50 = duration
	}
	if high := (p.Calls*95 + 99) / 100; before < high && high <= p.added {
		p.P95 = duration
	}
}
