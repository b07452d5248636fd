package jsonrpc

import "sync"

const (
	// minReused is the size from which a buffer for the body of a frame is reused. Not
	// every link returns its buffers, and allocating a smaller one is cheaper.
	minReused = 2 << 10
	// bodySize is the size of the reused buffers for frames that are copied before they are
	// written, and for the queue.
	bodySize = 16 << 10
)

// bodyBuffers are buffers of bodySize. Without reuse, calls of 10 KB made the garbage collector
// run ten times as often as small ones, and many simultaneous small ones twice as often.
var bodyBuffers = sync.Pool{New: func() any { return new([bodySize]byte) }}

// BodyBuffer returns an empty buffer with room for size bytes, for the body of a frame that
// will be Owned.
func BodyBuffer(size int) []byte {
	if size < minReused {
		return make([]byte, 0, size)
	}
	return queueBuffer(size)
}

// queueBuffer returns an empty buffer with room for at least size bytes.
func queueBuffer(size int) []byte {
	switch {
	case size <= bodySize:
		return bodyBuffers.Get().(*[bodySize]byte)[:0]
	case size <= smallBuffer:
		return make([]byte, 0, size)
	}
	return takeLarge(size)[:0]
}

// recycle keeps a buffer that is no longer used for reuse. The buffer may be of any origin.
func recycle(buffer []byte) {
	if cap(buffer) == bodySize {
		bodyBuffers.Put((*[bodySize]byte)(buffer[:bodySize]))
		return
	}
	putLarge(buffer)
}

// moveTo appends the frame as a line. An owned body is recycled.
func (f Frame) moveTo(line []byte) []byte {
	line = f.appendTo(line)
	if f.owned {
		recycle(f.body)
	}
	return line
}
