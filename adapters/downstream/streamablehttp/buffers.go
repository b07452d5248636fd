package streamablehttp

import (
	"bytes"
	"sync"
)

// largestKept is the size in bytes up to which a buffer is used again.
const largestKept = 1 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func takeBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func putBuffer(buffer *bytes.Buffer) {
	if buffer.Cap() <= largestKept {
		buffer.Reset()
		buffers.Put(buffer)
	}
}
