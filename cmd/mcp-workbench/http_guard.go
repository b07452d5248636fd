package main

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"

	"mcp-workbench/adapters/httpserver"
)

// guarded returns what a listener at an address serves: hosts, if they are programs of this
// machine and no page of a browser.
func guarded(address string, hosts *httpserver.Handler) (http.Handler, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--http %q: write an address with a port, such as 127.0.0.1:7345", address)
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("--http %q: only this machine can be served, since nobody would have to say who they are; write 127.0.0.1:7345", address)
	}
	mux := http.NewServeMux()
	mux.HandleFunc(mcpPath, func(w http.ResponseWriter, r *http.Request) {
		kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case !isLocal(r):
			w.Header().Set("Connection", "close")
			http.Error(w, "only programs of this machine are served", http.StatusForbidden)
		case r.Method == http.MethodPost && kind != "application/json":
			w.Header().Set("Connection", "close")
			http.Error(w, "the content type must be application/json", http.StatusUnsupportedMediaType)
		default:
			hosts.ServeHTTP(w, r)
		}
	})
	return mux, nil
}

// isLocal reports whether a request is for this machine and from no page of another one.
// Without the first, a page could call it under a name that leads here.
func isLocal(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return isLoopback(host)
	}
	from, err := url.Parse(origin)
	return err == nil && isLoopback(host) && isLoopback(from.Hostname())
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
