package mcpserver

import (
	"context"
	"io"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver/host"
)

// Output is where Serve writes. Attempt is the argument of jsonrpc.NewWriter.
type Output struct {
	io.Writer
	Attempt func([]byte) int
}

// Serve answers the messages of input until it ends, the context ends, or a write to output fails.
// Then requests under way get a moment to be answered. Serve returns the time before that moment.
// It does not wait for a read of input that hangs.
func (s *Server) Serve(ctx context.Context, input io.Reader, output Output) (ended time.Time, err error) {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	c := &conversation{
		handler: s, host: s.host, log: s.program.log, work: work,
		writer:   jsonrpc.NewWriter(output, output.Attempt),
		requests: newRequestsInFlight(s.program.settings.InFlight),
	}
	s.host.Connect(c)
	defer s.host.Disconnect()
	read := make(chan error, 1)
	go func() { read <- c.read(input, s.program.settings.MessageSize) }()
	select {
	case err = <-read:
	case <-ctx.Done():
	case <-c.writer.Stopped():
	}
	ended = time.Now()
	c.finish(ctx)
	return ended, err
}

// NumberAfter makes the ids of requests to the host begin after id, if an earlier workbench made some. It must
// be called before Serve.
func (s *Server) NumberAfter(id uint64) { s.host.NumberAfter(id) }

// Receiver returns a receiver for a host whose messages arrive one at a time, in place of Serve.
// Messages that belong to no request leave through the connection. The states of servers are sealed
// for this host, since there are other hosts. The caller must close the receiver.
func (s *Server) Receiver(ctx context.Context, rest host.Connection) *Receiver {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.host.Connect(rest)
	s.states.everything = true
	return &Receiver{stop: stop, conversation: &conversation{
		handler: s, host: s.host, log: s.program.log, work: work, requests: newRequestsInFlight(s.program.settings.InFlight),
	}}
}

// notified implements handler.
func (s *Server) notified(method mcp.MCPMethod) {
	switch method {
	case mcp.MethodNotificationInitialized:
		if s.host.IsInitialized() { // otherwise there was no handshake
			s.hostConnected()
		}
	case mcp.MethodNotificationRootsListChanged:
		s.announcer.AnnounceRootsChanged()
	}
}
