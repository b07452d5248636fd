package wire

import "runtime"

// readsToYield is few enough for less than 10 ms to pass with calls of 100 B, and
// enough for yielding to cost nothing.
const readsToYield = 64

// Yield is for loops that only block in reads and writes; its argument is
// the number of the read. Without it the runtime's monitor notices after 10 ms
// that the loop has run for too long, and from then on takes its processor away in
// the middle of every read of 20 µs, which costs calls over a longer way more.
func Yield(reads int) {
	if reads%readsToYield == 0 {
		runtime.Gosched()
	}
}
