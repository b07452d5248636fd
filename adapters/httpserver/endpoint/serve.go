package endpoint

import (
	"context"
	"fmt"
	"net"
	"time"

	"mcp-workbench/adapters/httpserver"
)

const (
	// DrainTime is the longest time calls under way may take at the end. With the time that servers
	// get it is less than the ten seconds after which container engines kill.
	DrainTime = 5 * time.Second
	// lastStreams is the longest time that hosts get to read the last messages.
	lastStreams = time.Second
)

// Serve serves hosts on a listener until the context ends, and then returns nil; otherwise it
// returns why it ended. Callers close the endpoint either way.
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

// Leave serves hosts as before while /readyz answers 503, for as long as http.drain says or until the context
// ends, so that a balancer sends them elsewhere. The caller calls it before Close, while Serve serves.
func (e *Endpoint) Leave(ctx context.Context) {
	e.hosts.Leave()
	if e.access.Drain <= 0 {
		return
	}
	e.log.Info("hosts are served for a while before the end, so that a balancer notices it", "drain", e.access.Drain)
	leaving, cancel := context.WithTimeout(ctx, e.access.Drain)
	defer cancel()
	<-leaving.Done()
}

// Close waits for calls under way until the context ends, and closes the sessions, whose servers
// get a time to exit. It calls closed before hosts read the last messages.
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
		_ = e.server.Close() // only connections are left of it
	}
}
