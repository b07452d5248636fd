package jsonrpc

import "sync"

// worthKeeping is the size from which on a buffer for one frame is used again. Without
// that, calls of 10 KB made the garbage collector run ten times as often as small ones.
const worthKeeping = 2 << 10

// bodyBuffers keeps buffers for the bodies of frames that are copied to be written.
var bodyBuffers = sync.Pool{New: func() any { return new([copyBelow]byte) }}

// BodyBuffer returns an empty buffer with room for size bytes, for the body of a
// frame that will be Owned.
func BodyBuffer(size int) []byte {
	switch {
	case size < worthKeeping:
		return make([]byte, 0, size)
	case size <= copyBelow:
		return bodyBuffers.Get().(*[copyBelow]byte)[:0]
	case size <= smallBuffer:
		return make([]byte, 0, size)
	}
	return takeLarge(size)[:0]
}

// moveTo appends the frame as a line. An owned body is given up.
func (f Frame) moveTo(line []byte) []byte {
	line = f.appendTo(line)
	if f.owned && cap(f.body) == copyBelow {
		bodyBuffers.Put((*[copyBelow]byte)(f.body[:copyBelow]))
	}
	return line
}
