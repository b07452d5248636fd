package figures

import (
	"sync/atomic"
	"time"
)

const (
	// decades is the number of powers of ten that are counted, beginning with ranges of one microsecond. Durations
	// above 1,000 seconds count as 1,000 seconds.
	decades = 8
	// width is the number of ranges up to the end of a decade, so that durations have two decimal digits.
	width = 100
)

// Histogram is a log-linear histogram of durations, like an HDR histogram with two decimal digits: a duration counts
// as at most a tenth longer than it is. Durations with up to two digits (5 ms, 2.5 s) are exact. The zero value is
// empty, and takes memory for the decades that occur. Safe for concurrent use.
type Histogram struct {
	counts [decades]atomic.Pointer[[width]atomic.Uint32]
	sum    atomic.Int64
}

// Add counts a duration. A negative one counts as 0.
func (h *Histogram) Add(duration time.Duration) {
	duration = max(duration, 0)
	h.sum.Add(int64(duration))
	micros, decade := max(duration-1, 0)/time.Microsecond, 0
	for ; micros >= width; decade++ {
		micros /= 10
	}
	if decade >= decades {
		micros, decade = width-1, decades-1
	}
	counts := h.counts[decade].Load()
	if counts == nil {
		h.counts[decade].CompareAndSwap(nil, new([width]atomic.Uint32))
		counts = h.counts[decade].Load()
	}
	counts[micros].Add(1)
}

// Sum returns the sum of all durations.
func (h *Histogram) Sum() time.Duration { return time.Duration(h.sum.Load()) }

// each calls visit for each duration that occurred, in ascending order, with the number of its calls.
func (h *Histogram) each(visit func(duration time.Duration, calls int)) {
	unit := time.Microsecond
	for i := range h.counts {
		if counts := h.counts[i].Load(); counts != nil {
			for at := range counts {
				if calls := counts[at].Load(); calls > 0 {
					visit(time.Duration(at+1)*unit, int(calls))
				}
			}
		}
		unit *= 10
	}
}

// Buckets returns how many durations were at most each of the ascending limits but above the one before, and then
// how many were above all. Limits with up to two digits are exact.
func (h *Histogram) Buckets(limits []time.Duration) []int {
	buckets, at := make([]int, len(limits)+1), 0
	h.each(func(duration time.Duration, calls int) {
		for at < len(limits) && duration > limits[at] {
			at++
		}
		buckets[at] += calls
	})
	return buckets
}

// Percentiles returns the percentiles of the durations.
func (h *Histogram) Percentiles() Percentiles {
	var found Percentiles
	h.each(func(_ time.Duration, calls int) { found.Calls += calls })
	h.each(found.Add)
	return found
}
