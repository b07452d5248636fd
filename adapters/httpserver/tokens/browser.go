package tokens

import (
	"net/http"
)

// AuthenticateBrowser is Authenticate for pages that a person opens in a browser, which sends no header of
// its own: the token is the password that the browser asks for (RFC 7617), with any name of a user. A
// Bearer token is accepted too.
func (g *Gate) AuthenticateBrowser(next http.Handler) http.Handler {
	authenticated := g.Authenticate(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, token, isBasic := r.BasicAuth(); isBasic && len(r.Header.Values("Authorization")) == 1 {
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", "Bearer "+token)
		}
		authenticated.ServeHTTP(&asking{w}, r)
	})
}

// asking is an answer that has the browser ask for a password if it is 401.
type asking struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *asking) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		a.Header().Add("WWW-Authenticate", `Basic realm="mcp-workbench: the password is your token", charset="UTF-8"`)
	}
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the answer for http.ResponseController.
func (a *asking) Unwrap() http.ResponseWriter { return a.ResponseWriter }
