package jsonrpc

import (
	"math/bits"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

const (
	// maxKept is the maximum size of the buffers that are kept for the next long message, in bytes: enough
	// for a message of ten megabytes and its answer.
	maxKept = 48 << 20
	// quietTime is how long after the last long message the kept memory is returned to the system; it may
	// take up to twice as long. The runtime alone would keep the memory for minutes.
	quietTime = 500 * time.Millisecond
	// maxRounded is the size up to which the size of a buffer is rounded up.
	maxRounded = 16 << 20
)

// largeBuffers are the kept buffers of long messages. Fresh memory from the system takes more
// time than all the copying, and garbage of that size doubles the memory of the program.
var largeBuffers struct {
	mu      sync.Mutex
	kept    [][]byte // the smallest first
	bytes   int
	watched bool // releaseLarge is scheduled
	used    bool // a buffer was put back since the last check
}

// takeLarge returns a buffer of at least size bytes. Its length is its capacity.
func takeLarge(size int) []byte {
	return takeKept(size, func(kept [][]byte) int {
		return slices.IndexFunc(kept, func(buffer []byte) bool { return len(buffer) >= size })
	})
}

// takeLargest is takeLarge, but returns the largest kept buffer, so that a growing text is moved less
// often.
func takeLargest(size int) []byte {
	return takeKept(size, func(kept [][]byte) int {
		if last := len(kept) - 1; last >= 0 && len(kept[last]) >= size {
			return last
		}
		return -1
	})
}

// takeKept returns the kept buffer that choose selects by its index, a new one for -1.
func takeKept(size int, choose func(kept [][]byte) int) []byte {
	l := &largeBuffers
	l.mu.Lock()
	defer l.mu.Unlock()
	i := choose(l.kept)
	if i < 0 {
		return make([]byte, roundedUp(size))
	}
	buffer := l.kept[i]
	l.kept = slices.Delete(l.kept, i, i+1)
	l.bytes -= len(buffer)
	return buffer
}

// roundedUp returns the size of a new buffer for a text. If there are only a few sizes, buffers fit the next
// text too. Memory that is not used is not touched.
func roundedUp(size int) int {
	if size > maxRounded {
		return size
	}
	return 1 << bits.Len(uint(size-1))
}

// putLarge keeps a buffer for another long message. Above the limit it drops the smallest
// buffers, which are the cheapest to replace.
func putLarge(buffer []byte) {
	buffer = buffer[:cap(buffer)]
	if len(buffer) <= smallBuffer || len(buffer) > maxKept {
		return
	}
	l := &largeBuffers
	l.mu.Lock()
	defer l.mu.Unlock()
	i, _ := slices.BinarySearchFunc(l.kept, len(buffer), func(kept []byte, size int) int { return len(kept) - size })
	l.kept = slices.Insert(l.kept, i, buffer)
	for l.bytes += len(buffer); l.bytes > maxKept; {
		l.bytes -= len(l.kept[0])
		l.kept = slices.Delete(l.kept, 0, 1)
	}
	l.used = true
	if !l.watched {
		l.watched = true
		time.AfterFunc(quietTime, releaseLarge)
	}
}

// releaseLarge returns the kept buffers to the system, or checks again later if one was used.
func releaseLarge() {
	l := &largeBuffers
	l.mu.Lock()
	if l.used {
		l.used = false
		l.mu.Unlock()
		time.AfterFunc(quietTime, releaseLarge)
		return
	}
	l.kept, l.bytes, l.watched = nil, 0, false
	l.mu.Unlock()
	debug.FreeOSMemory()
}
