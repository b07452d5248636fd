package callback

import (
	"crypto/subtle"
	"html"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
)

// waiting serves the browser until it accepts an answer.
type waiting struct {
	redirect url.URL
	hosts    map[string]bool
	name     string
	state    string
	ignored  func(error)
	act      func(callback string) error
	taken    atomic.Bool
	done     chan error
}

// ServeHTTP implements http.Handler.
func (w *waiting) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	query := request.URL.Query()
	path := w.redirect.Path
	if path == "" {
		path = "/"
	}
	switch {
	case !w.hosts[request.Host]:
		show(response, http.StatusForbidden, "Not here", "This address is not the one that the login is for.")
	case request.URL.Path != path:
		show(response, http.StatusNotFound, "Nothing here", noPage)
	case request.Method != http.MethodGet:
		response.Header().Set("Allow", http.MethodGet)
		show(response, http.StatusMethodNotAllowed, "Nothing here", noPage)
	case len(query["state"]) != 1 || subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(w.state)) != 1:
		w.ignored(ErrForeignState)
		show(response, http.StatusBadRequest, "Not the login that is waiting",
			"This is not the answer to the login that is waiting. Begin again from the address that you were given.")
	case !w.taken.CompareAndSwap(false, true):
		show(response, http.StatusGone, "Already answered", "This login was already answered. You can close this page.")
	default:
		w.take(response, request)
	}
}

const noPage = "This port only waits for the answer to a login."

// take handles the accepted answer.
func (w *waiting) take(response http.ResponseWriter, request *http.Request) {
	callback := w.redirect
	callback.RawQuery = request.URL.RawQuery
	err := w.act(callback.String())
	if err != nil {
		show(response, http.StatusBadRequest, "The login failed", "The login to "+w.name+" failed: "+err.Error()+". You can close this page.")
	} else {
		show(response, http.StatusOK, "Logged in", "You are logged in to "+w.name+". You can close this page.")
	}
	w.done <- err
}

// show answers with a page that contains nothing from the request, loads nothing, and sends no referrer.
func show(response http.ResponseWriter, status int, title, text string) {
	header := response.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	header.Set("X-Content-Type-Options", "nosniff")
	response.WriteHeader(status)
	// The browser may be gone.
	_, _ = io.WriteString(response, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>"+html.EscapeString(title)+
		"</title><h1>"+html.EscapeString(title)+"</h1><p>"+html.EscapeString(text)+"</p></html>\n")
}
