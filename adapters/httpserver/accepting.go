package httpserver

import (
	"errors"
	"log/slog"
	"net"
	"time"
)

// acceptPause is the least time between two lines about connections that are not accepted.
const acceptPause = time.Minute

// WarnRefused returns a listener that logs, once a minute at level warn, that it cannot accept
// connections, such as when the process has too many files open. Hosts wait meanwhile. Like any
// listener of net/http it is used by one goroutine that accepts.
func WarnRefused(listener net.Listener, log *slog.Logger) net.Listener {
	return &warningListener{Listener: listener, log: log}
}

type warningListener struct {
	net.Listener
	log    *slog.Logger
	logged time.Time
}

// Accept implements net.Listener.
func (l *warningListener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) && (l.logged.IsZero() || time.Since(l.logged) >= acceptPause) {
		l.logged = time.Now()
		l.log.Warn("connections of hosts cannot be accepted, and wait", "error", err)
	}
	return connection, err
}
