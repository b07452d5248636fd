package status

import "time"

// Quantiles returns the median and the 95th percentile of times, in milliseconds.
func Quantiles(times ...time.Duration) []float64 {
	var h histogram
	for _, took := range times {
		h.add(took)
	}
	return h.quantiles(0.5, 0.95)
}

// Pace limits questions.
type Pace struct{ pace }

// Accept counts a question and returns the time to wait before it is accepted.
func (p *Pace) Accept(now time.Time) time.Duration { return p.accept(now) }
