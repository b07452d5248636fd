package wire

import "runtime"

// readsToYield is few enough for less than 10 ms to pass with calls of 100 B, and
// enough for yielding to cost nothing.
const readsToYield = 64

// Yield is for loops that do nothing but block in reads and writes, and is called
// with the number of the read. Without it the runtime's monitor finds after 10 ms
// that the loop has run for too long, and from then on takes its place from it in
// the middle of every read of 20 µs. A call over a longer way would pay more of that.
func Yield(reads int) {
	if reads%readsToYield == 0 {
		runtime.Gosched()
	}
}
