package jsonrpc

import "sync"

// largeBuffers holds buffers that long messages grew, for the next long message:
// memory that is fresh from the system costs more than all the copying. What
// nobody takes again, the garbage collector frees.
var largeBuffers sync.Pool

// takeLarge returns a buffer of at least size bytes, all of its capacity.
func takeLarge(size int) []byte {
	if kept, ok := largeBuffers.Get().(*[]byte); ok && len(*kept) >= size {
		return *kept
	}
	return make([]byte, size)
}

// putLarge gives up a buffer that may be of use for another long message.
func putLarge(buffer []byte) {
	buffer = buffer[:cap(buffer)]
	if len(buffer) > smallBuffer {
		largeBuffers.Put(&buffer)
	}
}
