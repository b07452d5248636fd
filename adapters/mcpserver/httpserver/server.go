package httpserver

import (
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// headTime and bodyTime bound how long the header and the body of a request take to arrive; a body
	// has a second more for every slowest bytes of it that arrived. unusedTime is how long a connection
	// is kept without a request.
	headTime   = 10 * time.Second
	bodyTime   = 10 * time.Second
	unusedTime = 2 * time.Minute
	// maxHead is the largest header in bytes.
	maxHead = 64 << 10
)

// NewServer returns a server for a Handler or one that wraps it. It ends connections whose
// requests arrive too slowly, whatever the handler does with them, and those on which answers
// are not read. Errors of connections are logged at level debug. Its Shutdown waits for
// requests only, and not for connections without a request.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headTime, ReadTimeout: headTime + bodyTime, WriteTimeout: writeTime, IdleTimeout: unusedTime,
		MaxHeaderBytes: maxHead, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	unused := &unusedConnections{open: map[net.Conn]struct{}{}}
	server.ConnState = unused.note
	server.RegisterOnShutdown(unused.end)
	return server
}

// unusedConnections are connections without a request so far, which clients open in advance.
// Shutdown of net/http waits five seconds for a request on them (golang/go#22682), which would
// only be refused. Safe for concurrent use.
type unusedConnections struct {
	mu    sync.Mutex
	open  map[net.Conn]struct{}
	ended bool
}

// note implements http.Server.ConnState.
func (u *unusedConnections) note(c net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case state != http.StateNew:
		delete(u.open, c)
	case u.ended:
		_ = c.Close() // no handler uses it
	default:
		u.open[c] = struct{}{}
	}
}

// end closes the connections.
func (u *unusedConnections) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended = true
	for c := range u.open {
		_ = c.Close() // no handler uses it
	}
	clear(u.open)
}
