package ui

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"mcp-workbench/adapters/ui/html"
)

// IsAsset reports whether a path is that of a file that is the same for everyone.
func IsAsset(path string) bool {
	below, found := strings.CutPrefix(path, strings.TrimSuffix(Path, "/"))
	return found && assets().at(below) != nil
}

// ReadOnly returns a handler that passes on requests that only read, with the headers that protect pages on
// every answer, also of refusals.
func ReadOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protect(w.Header())
		if mayAsk(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// Refuse answers with a page that says why there is nothing to see.
func Refuse(w http.ResponseWriter, _ *http.Request, reason string) {
	sendNote(w, http.StatusForbidden, "Not for this browser", "", func(w *html.Writer) { w.Element("p", reason) })
}

// Forward answers with a page that leads to the first page. A redirect would not do: a browser that came
// from a link on another page keeps the new cookie to itself until the next request of a page of its own.
func Forward(w http.ResponseWriter, _ *http.Request) {
	sendNote(w, http.StatusOK, "Opening", "0;url="+Path, func(w *html.Writer) { w.Element("a", "Go to the overview", "href", Path) })
}

// sendNote sends a page of a few words. Refresh says where a browser goes next, "" for nowhere.
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
	_, _ = io.WriteString(w, doc.String()) // a browser that is gone needs no page
}
