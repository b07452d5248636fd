package httpserver

import (
	"log/slog"
	"net"
	"net/http"
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
	maxHead = 16 << 10
	// maxStreams is the maximum number of requests under way on a connection of HTTP/2, each of which has
	// buffers that count nowhere.
	maxStreams = 100
)

// Server is an http.Server whose connections count while no request is under way on them.
type Server struct {
	*http.Server
	waiting waiting
}

// NewServer returns a server for a Handler or one that wraps it. It ends connections whose
// requests arrive too slowly, whatever the handler does with them, those on which answers
// are not read, and beyond a number those on which no request is under way. Errors of connections are logged at level
// debug. Its Shutdown waits some seconds for connections on which no request has begun (golang/go#22682), so its
// context needs a deadline.
func NewServer(handler http.Handler, log *slog.Logger) *Server {
	waiting := newWaiting()
	return &Server{waiting: waiting, Server: &http.Server{
		Handler: waiting.handler(handler), ConnState: waiting.changed, ConnContext: waiting.context,
		ReadHeaderTimeout: headTime, ReadTimeout: headTime + bodyTime, WriteTimeout: writeTime, IdleTimeout: unusedTime,
		MaxHeaderBytes: maxHead, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams}, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}}
}

// Serve is that of http.Server, and so is ServeTLS.
func (s *Server) Serve(listener net.Listener) error {
	return s.Server.Serve(s.waiting.listener(listener))
}

// ServeTLS serves HTTPS with the certificate of TLSConfig.
func (s *Server) ServeTLS(listener net.Listener) error {
	return s.Server.ServeTLS(s.waiting.listener(listener), "", "")
}
