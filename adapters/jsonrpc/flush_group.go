package jsonrpc

import "slices"

// FlushGroup coalesces writes: a reader with several buffered messages passes one
// group along with each and flushes it after the last. It belongs to one goroutine.
type FlushGroup struct{ writers []interface{ Flush() } }

// Add registers a writer that holds bytes back until Flush.
func (g *FlushGroup) Add(writer interface{ Flush() }) {
	if !slices.Contains(g.writers, writer) {
		g.writers = append(g.writers, writer)
	}
}

// Waiting reports whether a writer holds bytes back. If not, the last of several messages
// needs no group, and its effects are written immediately.
func (g *FlushGroup) Waiting() bool { return len(g.writers) > 0 }

// Flush flushes every registered writer.
func (g *FlushGroup) Flush() {
	for _, writer := range g.writers {
		writer.Flush()
	}
	g.writers = g.writers[:0]
}
