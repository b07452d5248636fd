package main

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"

	"mcp-workbench/tests/measurements/bench/wire"
)

// proxy passes requests on to the URL behind -to until the input ends. It keeps as many
// connections as there are calls: otherwise the default limit of two would be measured.
func proxy(args []string) error {
	to, err := url.Parse(args[1])
	if err != nil {
		return err
	}
	return wire.Serve(os.Stdin, &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
		},
		Transport: &http.Transport{MaxIdleConnsPerHost: 1024},
	})
}
