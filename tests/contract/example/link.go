package example

import (
	"context"
	"errors"
	"net"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
)

// A link is a mcpclient.Link over one connection.
type link struct {
	*mcpclient.Stream
	connection net.Conn
	writer     *jsonrpc.Writer
	read       chan struct{} // closed when the output of the server was read to its end
}

var _ mcpclient.Link = (*link)(nil)

// flushTime is how long a closing link waits for its queued writes.
const flushTime = 100 * time.Millisecond

func newLink(connection net.Conn, messages *mcpclient.ServerMessages, limit int64) *link {
	writer := jsonrpc.NewWriter(connection, nil)
	l := &link{
		Stream:     mcpclient.NewStream(connection, writer, messages, limit),
		connection: connection, writer: writer, read: make(chan struct{}),
	}
	go l.readAll()
	return l
}

// readAll reads until the server is gone.
func (l *link) readAll() {
	defer close(l.read)
	err := l.Run()
	if errors.Is(err, mcpclient.ErrOutputEnded) {
		err = errors.New("the server closed the connection")
	}
	l.Fail(err)
	_ = l.connection.Close() // it may be closed already
}

// Close implements mcpclient.Link: the server is asked to end by the end of what
// it is sent, and has until the context ends.
func (l *link) Close(ctx context.Context) error {
	flush, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	_ = l.writer.Close(flush) // writes that are still queued are dropped
	l.Fail(errors.New("the connection to the server was closed"))
	if half, ok := l.connection.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // it may be gone already
	}
	select {
	case <-l.read:
	case <-ctx.Done():
	}
	l.drop()
	return nil
}

// drop ends the connection and waits for the goroutines that used it.
func (l *link) drop() {
	_ = l.connection.Close() // it may be closed already
	<-l.read
	_ = l.writer.Close(context.Background()) // nothing can be written any longer
}
