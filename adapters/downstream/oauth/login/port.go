package login

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	// headTime is the longest time a request may take to arrive, lingerTime the longest the last page may take to be
	// sent.
	headTime   = 10 * time.Second
	lingerTime = 2 * time.Second
	// maxHead is the size in bytes of the head of a request: codes are long.
	maxHead = 64 << 10
	// maxConnections is the number of connections to a listener. Every program of the machine can connect, and the lines
	// of a head can take twenty times its size.
	maxConnections = 64
)

// newest is a listener that closes its oldest connection for a new one beyond maxConnections: a browser sends its
// request at once.
type newest struct {
	net.Listener
	accepted []net.Conn
}

// Accept implements net.Listener, for one caller.
func (l *newest) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if l.accepted = append(l.accepted, accepted); len(l.accepted) > maxConnections {
		_ = l.accepted[0].Close() // most have ended long before
		l.accepted = slices.Delete(l.accepted, 0, 1)
	}
	return accepted, nil
}

// errElsewhere says that an address does not lead to this machine, so that the user has to paste the
// browser's address.
var errElsewhere = errors.New("the redirect does not lead to this machine")

// portError says that a port cannot be listened on.
type portError struct {
	address string // host and port
	err     error
}

// Error implements error. The system's reason stands there without what Error already says.
func (e *portError) Error() string {
	reason := e.err
	for err := e.err; err != nil; err = errors.Unwrap(err) {
		reason = err
	}
	return fmt.Sprintf("cannot listen on %s for the browser's answer: %v", e.address, reason)
}

// Unwrap returns the system's error.
func (e *portError) Unwrap() error { return e.err }

// port is an address on this machine at which a browser is waited for (RFC 8252 section 7.3). It answers nothing
// before serve.
type port struct {
	listeners []net.Listener
	address   url.URL
}

// listen listens at an address, "" for any port. For "localhost" it listens on both loopback addresses, since browsers
// try either first.
//
// Failures: errElsewhere; *portError.
func listen(text string) (*port, error) {
	address, err := url.Parse(cmp.Or(text, "http://127.0.0.1:0/callback"))
	if err != nil || address.Scheme != "http" || !isLoopback(address.Hostname()) {
		return nil, errElsewhere
	}
	host, number := address.Hostname(), address.Port()
	if number == "" {
		number = "80"
	}
	hosts := []string{host}
	if strings.EqualFold(host, "localhost") {
		hosts = []string{"127.0.0.1", "::1"}
	}
	p := &port{address: *address}
	for i, host := range hosts {
		listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", net.JoinHostPort(host, number))
		if err != nil && i > 0 && !errors.Is(err, errInUse) {
			continue // a machine without IPv6
		}
		if err != nil {
			p.close()
			return nil, &portError{address: net.JoinHostPort(host, number), err: err}
		}
		p.listeners = append(p.listeners, listener)
		if _, chosen, err := net.SplitHostPort(listener.Addr().String()); err == nil && number == "0" {
			number = chosen
			p.address.Host = net.JoinHostPort(address.Hostname(), number)
		}
	}
	return p, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// uri returns the address, with its port.
func (p *port) uri() string { return p.address.String() }

// close releases the port.
func (p *port) close() {
	for _, listener := range p.listeners {
		_ = listener.Close() // it serves no more requests
	}
}

// serve passes each GET of the address to answer, and refuses every other request, until the returned server is
// closed.
func (p *port) serve(answer http.HandlerFunc) *http.Server {
	hosts, path := p.hosts(), p.address.Path
	if path == "" {
		path = "/"
	}
	server := &http.Server{ReadHeaderTimeout: headTime, MaxHeaderBytes: maxHead, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Referrer-Policy", "no-referrer")
			switch {
			case !hosts[r.Host]:
				showPage(w, http.StatusForbidden, "Not here", "This address is not the one that the login is for.")
			case r.URL.Path != path:
				showPage(w, http.StatusNotFound, "Nothing here", noPage)
			case r.Method != http.MethodGet:
				w.Header().Set("Allow", http.MethodGet)
				showPage(w, http.StatusMethodNotAllowed, "Nothing here", noPage)
			default:
				answer(w, r)
			}
		},
	)}
	server.SetKeepAlivesEnabled(false)
	for _, listener := range p.listeners {
		go func() { _ = server.Serve(&newest{Listener: listener}) }() // it ends with the server
	}
	return server
}

const noPage = "This port only waits for a login."

// hosts returns the valid values of the Host header. A request with another comes from a page that
// rebinds its name to this machine.
func (p *port) hosts() map[string]bool {
	hosts := map[string]bool{p.address.Host: true}
	for _, listener := range p.listeners {
		hosts[listener.Addr().String()] = true
	}
	if p.address.Port() == "" {
		hosts[net.JoinHostPort(p.address.Hostname(), "80")] = true
	}
	return hosts
}

// showPage answers with a page that contains nothing from the request and loads nothing.
func showPage(w http.ResponseWriter, status int, title, text string) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// The browser may be gone.
	_, _ = io.WriteString(w, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>"+html.EscapeString(title)+
		"</title><h1>"+html.EscapeString(title)+"</h1><p>"+html.EscapeString(text)+"</p></html>\n")
}
