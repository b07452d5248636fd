package spec

import (
	"fmt"
	"runtime"

	"github.com/onsi/ginkgo/v2"
)

// Cost returns how many bytes a function allocates, and by how many the heap is larger while its result is in use. It reports
// both.
func Cost[T any](build func() T) (made, kept int64) {
	var before, after, held runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	thing := build()
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&held)
	runtime.KeepAlive(thing)
	const mib = 1 << 20
	made, kept = int64(after.TotalAlloc-before.TotalAlloc), int64(held.HeapAlloc)-int64(before.HeapAlloc)
	ginkgo.AddReportEntry("figures", fmt.Sprintf("allocated: %.1f MiB, kept: %.1f", float64(made)/mib, float64(kept)/mib))
	return made, kept
}
