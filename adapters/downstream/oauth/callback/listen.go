package callback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// defaultPath is the path of a redirect that is not configured.
const defaultPath = "/callback"

// ErrElsewhere says that a redirect does not lead to this machine, so that the user has to paste the
// browser's address.
var ErrElsewhere = errors.New("the redirect does not lead to this machine")

// PortError says that the port of a redirect cannot be listened on.
type PortError struct {
	// Address is host and port.
	Address string
	Err     error
}

// Error implements error.
func (e *PortError) Error() string {
	return fmt.Sprintf("cannot listen on %s for the browser's answer: %v", e.Address, reason(e.Err))
}

// Unwrap returns the system's error.
func (e *PortError) Unwrap() error { return e.Err }

// reason returns the system's reason, without what PortError already says.
func reason(err error) error {
	for unwrapped := err; unwrapped != nil; unwrapped = errors.Unwrap(unwrapped) {
		err = unwrapped
	}
	return err
}

// Listener is a port that waits for a browser. It answers nothing before Await.
type Listener struct {
	listeners []net.Listener
	redirect  url.URL
}

// Listen listens at the address of a redirect, "" for any port of 127.0.0.1. For "localhost" it listens
// on both loopback addresses, since browsers try either first.
//
// Failures: ErrElsewhere; *PortError.
func Listen(redirectURI string) (*Listener, error) {
	if redirectURI == "" {
		redirectURI = "http://127.0.0.1:0" + defaultPath
	}
	redirect, err := url.Parse(redirectURI)
	if err != nil || redirect.Scheme != "http" || !isLoopback(redirect.Hostname()) {
		return nil, ErrElsewhere
	}
	host, port := redirect.Hostname(), redirect.Port()
	if port == "" {
		port = "80"
	}
	hosts := []string{host}
	if strings.EqualFold(host, "localhost") {
		hosts = []string{"127.0.0.1", "::1"}
	}
	l := &Listener{redirect: *redirect}
	for i, host := range hosts {
		listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", net.JoinHostPort(host, port))
		if err != nil && i > 0 && !errors.Is(err, errInUse) {
			continue // a machine without IPv6
		}
		if err != nil {
			l.Close()
			return nil, &PortError{Address: net.JoinHostPort(host, port), Err: err}
		}
		l.listeners = append(l.listeners, listener)
		if _, chosen, err := net.SplitHostPort(listener.Addr().String()); err == nil && port == "0" {
			port = chosen
			l.redirect.Host = net.JoinHostPort(redirect.Hostname(), port)
		}
	}
	return l, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// URI returns the redirect, with its port.
func (l *Listener) URI() string { return l.redirect.String() }

// Close releases the port.
func (l *Listener) Close() {
	for _, listener := range l.listeners {
		_ = listener.Close() // it serves no more requests
	}
}
