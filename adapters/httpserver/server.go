package httpserver

import (
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// headTime is how long the head of a request may take, bodyTime how long its body may
	// take, unusedTime how long a connection may be without a request.
	headTime   = 10 * time.Second
	bodyTime   = 2 * time.Minute
	unusedTime = 2 * time.Minute
	// maxHead is the largest head in bytes.
	maxHead = 64 << 10
)

// NewServer returns a server of a handler that is Handler or stands before it. It ends
// connections whose requests come too slowly, whatever the handler does with them, and
// those on which answers are not read. What connections do wrong is logged as debug. Its
// Shutdown waits for requests only, and not for connections on which none came.
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

// unusedConnections are those on which no request came yet. Shutdown of net/http waits five
// seconds for a request on them (golang/go#22682), which would only be refused. Clients
// open such connections in advance. Safe for concurrent use.
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
		_ = c.Close() // nobody reads from it
	default:
		u.open[c] = struct{}{}
	}
}

// end closes them.
func (u *unusedConnections) end() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ended = true
	for c := range u.open {
		_ = c.Close() // nobody reads from it
	}
	clear(u.open)
}
