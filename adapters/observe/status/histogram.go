package status

import (
	"math/bits"
	"sync/atomic"
	"time"
)

const (
	// fineness is the binary logarithm of the number of ranges between a time and twice that time.
	fineness = 3
	// longest is the binary logarithm of the microseconds from which times count as equal, about 18 minutes.
	longest = 30
	ranges  = (longest - fineness + 1) << fineness
)

// histogram counts times in ranges that are an eighth wide. The zero value is empty. Safe for concurrent use.
type histogram struct{ counts [ranges]atomic.Uint32 }

// add counts a time.
func (h *histogram) add(took time.Duration) { h.counts[rangeAt(took)].Add(1) }

// rangeAt returns the index of the range of a time.
func rangeAt(took time.Duration) int {
	micros := uint64(max(took.Microseconds(), 0))
	power := bits.Len64(micros) - fineness - 1
	if power <= 0 {
		return int(micros) // the first ranges are a microsecond wide
	}
	return min(power<<fineness+int(micros>>power), ranges-1)
}

// upperBound returns the end of a range in milliseconds.
func upperBound(at int) float64 {
	power := at>>fineness - 1
	if power <= 0 {
		return float64(at+1) / 1000
	}
	return float64(uint64(at-power<<fineness+1)<<power) / 1000
}

// quantiles returns, for each part between 0 and 1, the time in milliseconds that this part of the counted times
// did not exceed. The parts must be in ascending order. It returns nil if no time was counted.
func (h *histogram) quantiles(parts ...float64) []float64 {
	var counted [ranges]uint64
	total := uint64(0)
	for i := range h.counts {
		counted[i] = uint64(h.counts[i].Load())
		total += counted[i]
	}
	if total == 0 {
		return nil
	}
	found := make([]float64, 0, len(parts))
	sum := uint64(0)
	for i, count := range counted {
		sum += count
		for len(found) < len(parts) && float64(sum) >= parts[len(found)]*float64(total) {
			found = append(found, upperBound(i))
		}
	}
	return found
}
