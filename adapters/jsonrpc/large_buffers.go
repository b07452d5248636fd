package jsonrpc

import (
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

const (
	// maxKept is how many bytes of buffers are kept for the next long message: enough
	// for one of ten megabytes, there and back.
	maxKept = 48 << 20
	// quietTime is how long there has to be no long message for the kept memory to go
	// back to the system, at the latest after twice that; the runtime by itself would
	// hold it for minutes.
	quietTime = 500 * time.Millisecond
)

// largeBuffers keeps buffers that long messages needed: memory that is fresh from
// the system costs more than all the copying, and garbage of that size doubles
// what the program holds.
var largeBuffers struct {
	mu      sync.Mutex
	kept    [][]byte // the smallest first
	bytes   int
	watched bool // a check whether it is quiet is due
	used    bool // since the last check
}

// takeLarge returns a buffer of at least size bytes, all of its capacity.
func takeLarge(size int) []byte {
	l := &largeBuffers
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.kept, func(buffer []byte) bool { return len(buffer) >= size })
	if i < 0 {
		return make([]byte, size)
	}
	buffer := l.kept[i]
	l.kept = slices.Delete(l.kept, i, i+1)
	l.bytes -= len(buffer)
	return buffer
}

// putLarge keeps a buffer for another long message. If too much is kept, the smallest
// buffers go, which are the cheapest to replace.
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

// releaseLarge gives the kept buffers back to the system if it was quiet, and otherwise
// checks again later.
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
