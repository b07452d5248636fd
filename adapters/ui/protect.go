package ui

import (
	"net/http"
	"net/url"
)

// contentPolicy lets a page use only its own style, script and icon.
const contentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// protect sets the headers that every answer has.
func protect(header http.Header) {
	header.Set("Content-Security-Policy", contentPolicy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	header.Set("Vary", "Sec-Fetch-Site")
}

// isAllowed reports whether a request only reads and does not come from a page of another origin. It answers
// other requests, so that a page of another origin learns nothing even if the browser lets it read the answer.
func isAllowed(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this page is read-only: use GET", http.StatusMethodNotAllowed)
	case isForeign(r):
		http.Error(w, "pages of another origin must not use this page", http.StatusForbidden)
	default:
		return true
	}
	return false
}

// isForeign reports whether a page of another origin made a request. A request is not foreign if the user
// follows a link on such a page.
func isForeign(r *http.Request) bool {
	if origins := r.Header.Values("Origin"); len(origins) > 0 {
		origin, err := url.Parse(origins[0])
		if len(origins) > 1 || err != nil || origin.Host != r.Host {
			return true
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	}
	return r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
}
