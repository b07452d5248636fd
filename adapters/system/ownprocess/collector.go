package ownprocess

// reserve is never read or written, so it takes no memory of the machine.
var reserve []byte

// CollectLess lets a small heap grow by up to 4 MiB more before the garbage collector runs: the collector counts
// memory that is reserved as if it were in use. The heap of a workbench is so small that many calls at the same time
// would otherwise have it collected every few milliseconds, at a twentieth of their time. A greater percentage
// (GOGC) would do the same, but also let large heaps grow by that percentage. Callers call it once, and not
// at the start: the reservation makes the collector run.
func CollectLess() { reserve = make([]byte, 4<<20) }
