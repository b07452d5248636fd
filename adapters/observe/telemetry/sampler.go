package telemetry

import (
	"encoding/binary"
	"math"
	"strings"
)

// Sampler decides which spans are recorded.
type Sampler struct {
	// parentBased says that a span with a parent follows the parent's decision.
	parentBased bool
	// below is the bound for the last 63 bits of a trace's id: traces below it are recorded.
	below uint64
}

// always is above the last 63 bits of every id.
const always = math.MaxUint64

// newSampler returns the sampler with a name of OTEL_TRACES_SAMPLER, and reports whether there is one. Only samplers
// by ratio use the ratio.
func newSampler(name string, ratio float64) (Sampler, bool) {
	kind, parentBased := strings.CutPrefix(name, "parentbased_")
	sampler := Sampler{parentBased: parentBased}
	switch kind {
	case "always_on":
		sampler.below = always
	case "always_off":
	case "traceidratio":
		sampler.below = always
		if ratio < 1 {
			sampler.below = uint64(ratio * (1 << 63))
		}
	default:
		return Sampler{}, false
	}
	return sampler, true
}

// samples reports whether a new span is recorded.
func (s Sampler) samples(parent, span spanContext) bool {
	if s.parentBased && parent.isValid() {
		return parent.isSampled()
	}
	return binary.BigEndian.Uint64(span.trace[8:])>>1 < s.below
}
