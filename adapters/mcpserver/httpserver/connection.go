package httpserver

import (
	"net"
	"net/http"
	"strconv"
)

// connection carries the rest of a response whose handler has returned: chunks of HTTP/1.1
// (RFC 9112 section 7.1). It is for one writer.
type connection struct {
	net.Conn
	gone   chan struct{} // closed when the host is gone
	failed bool          // a part of a chunk may have been written
}

// canLeave reports whether the response can continue without its handler, as the last one on
// its connection. Requests of HTTP/2 share a connection, and HTTP/1.0 has no chunks.
func (q *httpRequest) canLeave() bool { return q.r.ProtoMajor == 1 && q.r.ProtoMinor >= 1 }

// takeOver takes over the connection of a response whose header was sent. It returns nil if
// that is not possible.
func takeOver(w http.ResponseWriter) *connection {
	taken, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil
	}
	c := &connection{Conn: taken, gone: make(chan struct{})}
	go c.watch()
	return c
}

// watch waits until the host is gone. The header said that no request follows, so anything that
// arrives is ignored.
func (c *connection) watch() {
	defer close(c.gone)
	var ignored [64]byte
	for {
		if _, err := c.Read(ignored[:]); err != nil {
			return
		}
	}
}

// Write implements body: it writes a chunk.
func (c *connection) Write(data []byte) (int, error) {
	if len(data) == 0 {
		return 0, nil // it would be the last chunk
	}
	size := append(strconv.AppendInt(nil, int64(len(data)), 16), "\r\n"...)
	chunk := net.Buffers{size, data, []byte("\r\n")}
	_, err := chunk.WriteTo(c.Conn)
	c.failed = c.failed || err != nil
	return len(data), err
}

// Flush implements body. It does nothing, since every write is sent at once.
func (*connection) Flush() error { return nil }

// end ends the response and the connection.
func (c *connection) end() {
	if !c.failed {
		setWriteDeadline(c, 0)
		_, _ = c.Conn.Write([]byte("0\r\n\r\n")) // a host that is gone needs no end
	}
	_ = c.Close()
}
