package ui

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"mcp-workbench/adapters/ui/html"
)

// IsAsset reports whether a path is that of an asset, which is the same for all viewers.
func IsAsset(path string) bool {
	return strings.HasPrefix(path, Path) && assets.at(below(path)) != nil
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

// Refuse answers with a page that says why the request is refused.
func Refuse(w http.ResponseWriter, _ *http.Request, reason string) {
	sendNote(w, http.StatusForbidden, "Not for this browser", "", func(w *html.Writer) { w.Element("p", reason) })
}

// Forward answers with a page that leads to the overview. A redirect would not work: after a link on a page of
// another site, a browser sends the new cookie only with the next request that a page of this site makes.
func Forward(w http.ResponseWriter, _ *http.Request) {
	sendNote(w, http.StatusOK, "Opening", "0;url="+overviewAddress, func(w *html.Writer) { w.Element("a", "Go to the overview", "href", overviewAddress) })
}

// sendNote sends a short page. The argument refresh is the content of its refresh element, "" for none.
func sendNote(w http.ResponseWriter, status int, title, refresh string, write func(*html.Writer)) {
	protect(w.Header())
	var doc html.Writer
	writeHead(&doc, title, refresh)
	doc.Start("body").Start("main", "id", "main").Element("h1", title)
	write(&doc)
	doc.End().End().End()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(doc.Len()))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, doc.String()) // if that fails, the browser is gone
}
