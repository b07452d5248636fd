package ownprocess

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// usualPercent is how much garbage gathers before it is collected, in percent of the memory in use, and mostPercent
	// the same while little is in use.
	usualPercent = 100
	mostPercent  = 400
	// garbage is how much may gather, in bytes, even if it is more than usualPercent.
	garbage = 12 << 20
)

// CollectLess lets some megabytes of garbage gather before each collection. By default it is as much as the memory in
// use, which is so little between small calls that a third of the processor time of many simultaneous calls went to
// collections. Once more than that is in use, as with long messages, nothing is different, so that peaks stay as they
// are. The variable GOGC takes precedence.
func CollectLess() {
	if os.Getenv("GOGC") != "" {
		return
	}
	adjust(&collection{percent: usualPercent})
}

// collection is garbage from its beginning, so that its finalizer runs after each collection.
type collection struct {
	percent int
	_       [2]int // smaller values are allocated together, so that their finalizers may never run
}

// adjust sets the percentage for the memory in use after a collection, and waits for the next one.
func adjust(last *collection) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if percent := percentFor(live[0].Value.Uint64()); percent != last.percent {
		last.percent = percent
		debug.SetGCPercent(percent)
	}
	runtime.SetFinalizer(last, adjust)
}

// percentFor returns a multiple of usualPercent, since each change stops the program for a moment.
func percentFor(live uint64) int {
	times := garbage / max(live, 1)
	return int(min(max(times*usualPercent, usualPercent), mostPercent))
}
