package interactive

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

const (
	// headTime is the longest time a request for a link may take to arrive, and maxHead its maximum size in bytes.
	headTime = 10 * time.Second
	maxHead  = 16 << 10
	// askTime is the longest time another process may take to show that it serves a link.
	askTime = 2 * time.Second
	// linkLength is the number of random letters in a link: 50 bits.
	linkLength = 10
)

// serveLink serves a short link to the authorization server until the context ends, and writes it into
// the record for other processes.
func (l *login) serveLink(ctx context.Context, pending logins.Pending) (link string, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("serve a link to the login: %w", err)
	}
	host, path := listener.Addr().String(), "/"+strings.ToLower(rand.Text()[:linkLength])
	link = "http://" + host + path
	err = l.client.Store.Update(ctx, l.server.Key(), func(record *logins.Record) error {
		if record.Pending != nil && record.Pending.State == pending.State {
			record.Pending.Link = link
		}
		return nil
	})
	if err != nil {
		_ = listener.Close() // nothing was served
		return "", err
	}
	l.serve(ctx, listener, path)
	return link, nil
}

// serve serves the link with this path until the context ends.
func (l *login) serve(ctx context.Context, listener net.Listener, path string) {
	server := &http.Server{
		Handler: l.linkHandler(listener.Addr().String(), path), ReadHeaderTimeout: headTime, MaxHeaderBytes: maxHead,
	}
	server.SetKeepAlivesEnabled(false)
	go func() { _ = server.Serve(listener) }() // it ends with Close
	context.AfterFunc(ctx, func() { _ = server.Close() })
}

// linkHandler redirects a GET of the path to the authorization server. A request with another Host comes
// from a page that rebinds its name to this machine.
func (l *login) linkHandler(host, path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Referrer-Policy", "no-referrer")
		switch {
		case r.Host != host:
			http.Error(w, "This address is not the one that the link is for.", http.StatusForbidden)
		case r.URL.Path != path:
			http.Error(w, "There is nothing here.", http.StatusNotFound)
		case r.Method != http.MethodGet:
			header.Set("Allow", http.MethodGet)
			http.Error(w, "There is nothing here.", http.StatusMethodNotAllowed)
		default:
			http.Redirect(w, r, l.currentURL(), http.StatusFound)
		}
	})
}

// currentURL returns the address of the page to log in. Another process may have begun the login again
// and replaced the request.
func (l *login) currentURL() string {
	record, err := l.client.Store.Read(l.server.Key())
	if err != nil || record.Pending == nil {
		return l.url
	}
	return record.Pending.URL
}

// isServed reports whether a process on this machine serves the link and redirects to the target.
// Another program may use the port by now, and redirect anywhere.
func isServed(ctx context.Context, link, target string) bool {
	address, err := url.Parse(link)
	if err != nil || address.Scheme != "http" || address.Hostname() != "127.0.0.1" || address.User != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return false
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // no proxy: it is this machine
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close() // it is not needed
	return response.StatusCode == http.StatusFound && response.Header.Get("Location") == target
}
