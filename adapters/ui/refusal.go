package ui

import (
	"net/http"
	"strings"
)

// IsAsset reports whether a path is that of an asset, which is the same for all viewers.
func IsAsset(path string) bool {
	return strings.HasPrefix(path, Path) && assetAt(below(path)) != nil
}

// ReadOnly returns a handler that passes on requests that only read, and refuses others. Every answer, including
// refusals, has the headers that protect pages.
func ReadOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header())
		if isAllowed(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// note is a short page. Without a reason, it leads to the overview.
type note struct{ Title, Reason string }

// Refuse answers with a page that says why the request is refused.
func Refuse(w http.ResponseWriter, _ *http.Request, reason string) {
	protect(w.Header())
	sendDocument(w, http.StatusForbidden, "note", note{"Not for this browser", reason})
}

// Forward answers with a page that leads to the overview. A redirect would not work: after a link on a page of
// another site, a browser sends the new cookie only with the next request that a page of this site makes.
func Forward(w http.ResponseWriter, _ *http.Request) {
	protect(w.Header())
	sendDocument(w, http.StatusOK, "note", note{Title: "Opening"})
}
