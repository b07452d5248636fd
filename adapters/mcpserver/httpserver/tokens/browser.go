package tokens

import (
	"net/http"
)

// AuthenticateBrowser is Authenticate for pages that are opened in a browser, which sends no token by
// itself: the token is the password that the browser asks for (RFC 7617), with any user name. A Bearer
// token is accepted too.
func (g *Gate) AuthenticateBrowser(next http.Handler) http.Handler {
	authenticated := g.Authenticate(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, token, isBasic := r.BasicAuth(); isBasic && len(r.Header.Values("Authorization")) == 1 {
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", "Bearer "+token)
		}
		authenticated.ServeHTTP(&passwordPrompt{w}, r)
	})
}

// passwordPrompt is a response that makes the browser ask for a password if its status is 401.
type passwordPrompt struct{ http.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (p *passwordPrompt) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		p.Header().Add("WWW-Authenticate", `Basic realm="mcp-workbench: the password is your token", charset="UTF-8"`)
	}
	p.ResponseWriter.WriteHeader(status)
}

// Unwrap returns the wrapped response, for http.ResponseController.
func (p *passwordPrompt) Unwrap() http.ResponseWriter { return p.ResponseWriter }
