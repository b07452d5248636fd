package mcpclient

import (
	"context"
	"errors"
	"io"
	"time"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/ports"
)

// A socket is a Link over one connection.
type socket struct {
	*Stream
	connection io.ReadWriteCloser
	writer     *jsonrpc.Writer
	read       chan struct{} // closed when the output of the server was read to its end
}

var _ Link = (*socket)(nil)

// flushTime is the time for which a closing socket waits for its queued writes.
const flushTime = 100 * time.Millisecond

// ConnectOver is Connect for a server that exchanges one message per line over a connection, such as a
// net.Conn: closing it ends a read. The session owns the connection, which is closed if ConnectOver fails.
func ConnectOver(ctx context.Context, connection io.ReadWriteCloser, messages *ServerMessages, identity Identity) (ports.Session, error) {
	writer := jsonrpc.NewWriter(connection, nil)
	s := &socket{
		Stream:     NewStream(connection, writer, messages, messages.server.Limits.MessageSize),
		connection: connection, writer: writer, read: make(chan struct{}),
	}
	go s.readAll()
	session, err := Connect(ctx, s, messages, identity)
	if err != nil {
		s.release() // a server that did not shake hands is not asked to end
		return nil, err
	}
	return session, nil
}

// readAll reads until the server is gone.
func (s *socket) readAll() {
	defer close(s.read)
	err := s.Run()
	if errors.Is(err, ErrOutputEnded) {
		err = errors.New("the server closed the connection")
	}
	s.Fail(err)
	_ = s.connection.Close() // it may be closed already
}

// Close implements Link: the server is asked to end by the end of what it is sent, and has until the context ends.
func (s *socket) Close(ctx context.Context) error {
	flush, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	_ = s.writer.Close(flush) // writes that are still queued are dropped
	s.Fail(errors.New("the connection to the server was closed"))
	if half, ok := s.connection.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // it may be gone already
	}
	select {
	case <-s.read:
	case <-ctx.Done():
	}
	s.release()
	return nil
}

// release ends the connection and waits for the goroutines that used it.
func (s *socket) release() {
	_ = s.connection.Close() // it may be closed already
	<-s.read
	_ = s.writer.Close(context.Background()) // nothing can be written any longer
}
