package streamablehttp

import (
	"bytes"
	"sync"
)

// maxPooledSize is the size in bytes up to which buffers are reused.
const maxPooledSize = 1 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func takeBuffer() *bytes.Buffer { return buffers.Get().(*bytes.Buffer) }

func putBuffer(buffer *bytes.Buffer) {
	if buffer.Cap() <= maxPooledSize {
		buffer.Reset()
		buffers.Put(buffer)
	}
}
