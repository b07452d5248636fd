package domain

import "slices"

// Batch gathers writes that may wait for each other: who reads many messages at
// once hands one on with each, and flushes it when the last was handled. A nil
// batch gathers nothing. It is for one goroutine.
type Batch struct{ held []Flusher }

// Flusher writes what it held back.
type Flusher interface{ Flush() }

// Add notes that something is held back for the batch, and reports whether it may
// be.
func (b *Batch) Add(holder Flusher) bool {
	if b == nil {
		return false
	}
	if !slices.Contains(b.held, holder) {
		b.held = append(b.held, holder)
	}
	return true
}

// Last returns the batch for the last message: the batch itself if something is
// held, which then goes out together; nil if nothing is, so that nothing waits.
func (b *Batch) Last() *Batch {
	if len(b.held) == 0 {
		return nil
	}
	return b
}

// Flush has everything written that was held back.
func (b *Batch) Flush() {
	for _, holder := range b.held {
		holder.Flush()
	}
	b.held = b.held[:0]
}
