package jsonrpc

import "sync"

const (
	// worthKeeping is the size from which on a buffer for the body of a frame is used
	// again. Not every link gives them back, and smaller ones cost less than that.
	worthKeeping = 2 << 10
	// bodySize is the size of the buffers that are kept for frames which are copied to
	// be written, and for what waits to be written.
	bodySize = 16 << 10
)

// bodyBuffers keeps such buffers. Without it calls of 10 KB made the garbage collector
// run ten times as often as small ones, and many small ones at once twice as often.
var bodyBuffers = sync.Pool{New: func() any { return new([bodySize]byte) }}

// BodyBuffer returns an empty buffer with room for size bytes, for the body of a
// frame that will be Owned.
func BodyBuffer(size int) []byte {
	if size < worthKeeping {
		return make([]byte, 0, size)
	}
	return queueBuffer(size)
}

// queueBuffer returns an empty buffer with room for size bytes and, if they are few,
// for more.
func queueBuffer(size int) []byte {
	switch {
	case size <= bodySize:
		return bodyBuffers.Get().(*[bodySize]byte)[:0]
	case size <= smallBuffer:
		return make([]byte, 0, size)
	}
	return takeLarge(size)[:0]
}

// recycle gives back a buffer that nobody uses any more, wherever it came from.
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
