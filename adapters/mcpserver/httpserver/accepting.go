package httpserver

import (
	"errors"
	"log/slog"
	"net"
	"time"
)

// acceptPause is the minimum time between two log lines about connections that are not
// accepted.
const acceptPause = time.Minute

// WarnRefused returns a listener that logs, once a minute at level warn, that it cannot accept
// connections, such as when the process has too many files open. Hosts wait meanwhile. Only one
// goroutine may call Accept, as net/http does.
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
		l.log.Warn("connections of hosts cannot be accepted, so they wait", "error", err)
	}
	return connection, err
}
