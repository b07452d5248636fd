package guard

import (
	"net/http"
	"strings"
)

// What pages of allowed origins can send and read (https://fetch.spec.whatwg.org/#http-cors-protocol).
const (
	allowedMethods = "GET, POST, DELETE"
	exposedHeaders = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After"
	// preflightSeconds is how long a browser can rely on the answer, in seconds.
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
