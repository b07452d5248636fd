package callers

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"mcp-workbench/domain"
)

// A Guard checks where requests come from. It never changes. Safe for concurrent use.
type Guard struct {
	// anyHost is set when no Host is refused.
	anyHost bool
	// hosts and origins are allowed, in lower case. Hosts have a port or none.
	hosts, origins map[string]bool
	refusals       *Refusals
	// ForeignHost is the first allowed host that is not this machine, "" if there is none. Its
	// callers are on other machines, behind a proxy if the workbench listens on this one only.
	ForeignHost string
}

// NewGuard returns a guard for a listener at an address. Besides loopback it allows these hosts
// ("mcp.example.com", "mcp.example.com:7345") and origins ("https://app.example.com"). refusals
// logs the requests that it refuses.
//
// Failures: a text that is not a host or not an origin.
func NewGuard(address Address, hosts, origins []string, refusals *Refusals) (*Guard, error) {
	g := &Guard{anyHost: !address.IsLoopback && len(hosts) == 0, hosts: map[string]bool{}, origins: map[string]bool{}, refusals: refusals}
	for _, host := range hosts {
		if !domain.IsHostHeader(host) {
			return nil, fmt.Errorf("allowed host %q: want a host, with a port or without, for example mcp.example.com", host)
		}
		g.hosts[strings.ToLower(host)] = true
		if g.ForeignHost == "" && !isLoopbackHost(hostOf(host)) {
			g.ForeignHost = host
		}
	}
	for _, origin := range origins {
		if !domain.IsOrigin(origin) {
			return nil, fmt.Errorf("allowed origin %q: want a scheme and a host, for example https://app.example.com", origin)
		}
		g.origins[strings.ToLower(origin)] = true
	}
	return g, nil
}

// Protect returns a handler that passes on requests from allowed places and refuses the others:
// with 403 for a Host or an Origin that is not allowed, with 415 for a POST of anything but JSON.
// It answers the preflight requests of browsers (OPTIONS) itself.
func (g *Guard) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origins := r.Header.Values("Origin")
		switch {
		case !g.allowsHost(r.Host):
			g.refusals.Refuse(w, r, http.StatusForbidden,
				"this Host is not allowed; the operator can allow it with --allow-host or http.allowHosts")
		case len(origins) > 1 || len(origins) == 1 && !g.allowsOrigin(origins[0]):
			g.refusals.Refuse(w, r, http.StatusForbidden,
				"this Origin is not allowed; the operator can allow it with --allow-origin or http.allowOrigins")
		case r.Method == http.MethodOptions:
			answerOptions(w, r, origins)
		case r.Method == http.MethodPost && !isJSON(r.Header.Values("Content-Type")):
			allowReading(w, origins)
			Refuse(w, r, http.StatusUnsupportedMediaType, "Content-Type must be application/json")
		default:
			allowReading(w, origins)
			next.ServeHTTP(w, r)
		}
	})
}

func (g *Guard) allowsHost(host string) bool {
	return g.anyHost || isLoopbackHost(hostOf(host)) || g.hosts[strings.ToLower(host)] || g.hosts[hostOf(host)]
}

func (g *Guard) allowsOrigin(origin string) bool {
	if g.origins[strings.ToLower(origin)] {
		return true
	}
	address, err := url.Parse(origin)
	return err == nil && (address.Scheme == "http" || address.Scheme == "https") && isLoopbackHost(hostOf(address.Host))
}

// isJSON reports whether the only value is the media type of JSON.
func isJSON(values []string) bool {
	if len(values) != 1 {
		return false
	}
	kind, _, err := mime.ParseMediaType(values[0])
	return err == nil && kind == "application/json"
}

// What pages of allowed origins can send and read (https://fetch.spec.whatwg.org/#http-cors-protocol).
const (
	allowedMethods = "GET, POST, DELETE"
	exposedHeaders = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After"
	// preflightSeconds is the time in seconds for which a browser may keep the answer.
	preflightSeconds = "600"
)

// allowReading lets the page of an allowed origin read the answer.
func allowReading(w http.ResponseWriter, origins []string) {
	if len(origins) == 0 {
		return
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origins[0])
	header.Set("Access-Control-Expose-Headers", exposedHeaders)
	header.Add("Vary", "Origin")
}

// answerOptions answers a browser that asks what a page of an allowed origin can send. Every
// header is allowed: those of 2026-07-28 are named after tools. A request without an origin is
// not from a browser.
func answerOptions(w http.ResponseWriter, r *http.Request, origins []string) {
	header := w.Header()
	header.Set("Allow", allowedMethods+", OPTIONS")
	if len(origins) == 0 {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	allowReading(w, origins)
	header.Add("Vary", "Access-Control-Request-Headers")
	header.Set("Access-Control-Allow-Methods", allowedMethods)
	if wanted := r.Header.Get("Access-Control-Request-Headers"); isHeaderList(wanted) {
		header.Set("Access-Control-Allow-Headers", wanted)
	}
	header.Set("Access-Control-Max-Age", preflightSeconds)
	w.WriteHeader(http.StatusNoContent)
}

// isHeaderList reports whether text looks like names of headers separated by commas.
func isHeaderList(text string) bool {
	for _, c := range []byte(text) {
		isLetter, isDigit := 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9'
		if !isLetter && !isDigit && !strings.ContainsRune("-_, ", rune(c)) {
			return false
		}
	}
	return strings.TrimSpace(text) != ""
}
