package endpoint

import (
	"context"
	"fmt"
	"net"
	"time"

	"mcp-workbench/adapters/mcpserver/httpserver"
)

const (
	// DrainTime is the longest time calls under way may take at the end. With the time that servers have to
	// exit, it is less than the ten seconds after which container engines kill the process.
	DrainTime = 5 * time.Second
	// lastStreams is the longest time that hosts have to read the last messages.
	lastStreams = time.Second
)

// Serve serves hosts on a listener until the context ends, and then returns nil; otherwise it
// returns why it ended. Callers must close the endpoint either way.
func (e *Endpoint) Serve(ctx context.Context, listener net.Listener) error {
	failed := make(chan error, 1)
	listener = httpserver.WarnRefused(listener, e.log)
	go func() {
		if e.server.TLSConfig != nil {
			failed <- e.server.ServeTLS(listener, "", "")
		} else {
			failed <- e.server.Serve(listener)
		}
	}()
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return fmt.Errorf("serve hosts over HTTP: %w", err)
	}
}

// Leave makes /readyz answer 503 while hosts are still served, so that a load balancer sends new ones
// elsewhere. It returns after the time of http.drain, or when the context ends. It must be called before
// Close, while Serve is running.
func (e *Endpoint) Leave(ctx context.Context) {
	e.hosts.Leave()
	if e.access.Drain <= 0 {
		return
	}
	e.log.Info("hosts are still served for a while, so that a load balancer notices the end", "drain", e.access.Drain)
	leaving, cancel := context.WithTimeout(ctx, e.access.Drain)
	defer cancel()
	<-leaving.Done()
}

// Close waits for calls under way until the context ends, and closes the sessions, whose servers have the
// time of shutdown to exit. It calls closed before it waits for hosts to read the last messages.
func (e *Endpoint) Close(ctx context.Context, shutdown time.Duration, closed func()) {
	end := time.Now().Add(DrainTime + shutdown)
	drain, cancel := context.WithTimeout(ctx, DrainTime)
	defer cancel()
	e.hosts.Drain(drain)
	e.hosts.Close()
	closed()
	// Streams ended before the servers did, so that little is left to be written.
	rest := min(lastStreams, max(time.Until(end), lastStreams/10))
	last, cancelLast := context.WithTimeout(context.WithoutCancel(ctx), rest)
	defer cancelLast()
	e.hosts.WaitForStreams(last)
	if err := e.server.Shutdown(last); err != nil {
		_ = e.server.Close() // only connections are left
	}
}
