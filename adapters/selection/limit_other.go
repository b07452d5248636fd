//go:build !linux

package selection

// limitData does nothing: on other systems, a process cannot set a limit for itself that applies to
// Go's heap. There only measurements find out that the memory exceeds its bound: one allocation can
// exceed it until the next measurement, and then the run fails.
func limitData(int64) {}
