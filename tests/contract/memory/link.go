package memory

import (
	"context"
	"errors"
	"os"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/tests/fixtures/script"
)

// link is a mcpclient.Link to a goroutine that plays a script.
type link struct {
	*mcpclient.Stream
	writer *jsonrpc.Writer
	// The server's ends of the two pipes and the workbench's.
	serverIn, in, out, serverOut *os.File
	ended                        chan struct{} // closed when the output was read to its end
}

var _ mcpclient.Link = (*link)(nil)

// dial starts the server and connects to it.
func (t *Transport) dial(s script.Script, messages *mcpclient.ServerMessages, limit int64) (*link, error) {
	serverIn, in, inErr := os.Pipe()
	out, serverOut, outErr := os.Pipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, err
	}
	writer := jsonrpc.NewWriter(in, jsonrpc.NonblockingWrite(in))
	l := &link{
		Stream: mcpclient.NewStream(out, writer, messages, limit, t.log), writer: writer,
		serverIn: serverIn, in: in, out: out, serverOut: serverOut, ended: make(chan struct{}),
	}
	t.mu.Lock()
	t.links[l] = true
	t.mu.Unlock()
	go func() {
		_ = script.Serve(s, serverIn, serverOut) // it ends with its input, or is cut off
		l.cut()
	}()
	go t.read(l)
	return l, nil
}

// read reads what the server writes until it is gone, however that came about.
func (t *Transport) read(l *link) {
	defer close(l.ended)
	l.Fail(l.Run())
	l.cut()
	closeFiles(l.in, l.out)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.links, l)
}

// cut takes the pipes away from the server: the nearest to killing that can be done
// to a goroutine.
func (l *link) cut() { closeFiles(l.serverIn, l.serverOut) }

// Close implements mcpclient.Link: the server is asked to end by the end of its
// input, and cut off when the context ends.
func (l *link) Close(ctx context.Context) error {
	_ = l.writer.Close(ctx) // what could not be written is dropped
	l.Fail(errors.New("the connection to the server was closed"))
	closeFiles(l.in)
	select {
	case <-l.ended:
	case <-ctx.Done():
		l.cut()
	}
	<-l.ended
	return nil
}

func closeFiles(files ...*os.File) {
	for _, file := range files {
		_ = file.Close() // maybe not for the first time
	}
}
