package ownprocess

// HeapReserve is memory that is never read or written, so it takes none of the machine. The garbage collector
// counts it as if it were in use, and lets a small heap grow by as much more before it runs. The heap of a workbench
// is so small that many calls at the same time would otherwise have it collected every few milliseconds, at a
// twentieth of their time. A greater percentage (GOGC) would do the same, but also let large heaps grow by that
// percentage. The zero value has no memory.
type HeapReserve struct{ memory []byte }

// Take reserves 4 MiB for as long as the value is referred to. The collector runs once for that, so callers do
// it after the start.
func (r *HeapReserve) Take() { r.memory = make([]byte, 4<<20) }
