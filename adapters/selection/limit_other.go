//go:build !linux

package selection

// limitData does nothing: other systems have no bound on memory that a process can set for itself
// and that Go's heap respects. There the memory is measured: one allocation can exceed it until the
// next measurement, which fails the run.
func limitData(int64) {}
