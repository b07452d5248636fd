package httpserver

import (
	"log/slog"
	"net/http"
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
// those on which answers are not read. What connections do wrong is logged as debug.
func NewServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: headTime, ReadTimeout: headTime + bodyTime, WriteTimeout: writeTime, IdleTimeout: unusedTime,
		MaxHeaderBytes: maxHead, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}
