package local

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"sync"
	"time"

	"mcp-workbench/adapters/ui"
)

const (
	// tokenTime is how long a token is accepted.
	tokenTime = 5 * time.Minute
	// tokenKey is the query parameter with the token.
	tokenKey = "token"
)

// admission admits the first browser that sends the token. Safe for concurrent use.
type admission struct {
	cookie string // the name of the cookie
	until  time.Time

	mu     sync.Mutex
	token  digest // of the token
	key    digest // of the value of the cookie, zero before the token was used
	isUsed bool
}

type digest [sha256.Size]byte

// newAdmission returns an admission and its token. The name of the cookie has the port, since browsers send
// cookies to all ports of a host.
func newAdmission(port string, now time.Time) (*admission, string) {
	token := rand.Text()
	return &admission{cookie: "mcp-workbench-ui-" + port, until: now.Add(tokenTime), token: sha256.Sum256([]byte(token))}, token
}

// protect returns a handler that passes on the requests of the admitted browser.
func (a *admission) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := r.URL.Query().Get(tokenKey)
		switch {
		case ui.IsAsset(r.URL.Path):
			next.ServeHTTP(w, r)
		case a.isKnown(r) && token != "":
			ui.Forward(w, r)
		case a.isKnown(r):
			next.ServeHTTP(w, r)
		case token == "":
			ui.Refuse(w, r, "Open the address that 'mcp-workbench ui' printed: only the browser that opened it can see this page.")
		case r.Method != http.MethodGet || r.Header.Get("Sec-Purpose") != "":
			// HEAD requests and prefetching browsers must not use up the token.
			ui.Refuse(w, r, "Open this address.")
		default:
			a.enter(w, r, token)
		}
	})
}

// isKnown reports whether a request has the cookie.
func (a *admission) isKnown(r *http.Request) bool {
	cookie, err := r.Cookie(a.cookie)
	if err != nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.isUsed && equal(a.key, cookie.Value)
}

// enter admits a browser with the token.
func (a *admission) enter(w http.ResponseWriter, r *http.Request, token string) {
	const again = " Run 'mcp-workbench ui' again for a new one."
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case !equal(a.token, token):
		ui.Refuse(w, r, "The token in this address is not the one that 'mcp-workbench ui' printed."+again)
	case a.isUsed:
		ui.Refuse(w, r, "This address was opened before, and it can be used only once. If that was not you, another program on this machine opened it."+again)
	case !time.Now().Before(a.until):
		ui.Refuse(w, r, "This address is too old."+again)
	default:
		key := rand.Text()
		a.isUsed, a.key = true, sha256.Sum256([]byte(key))
		http.SetCookie(w, &http.Cookie{Name: a.cookie, Value: key, Path: ui.Path, HttpOnly: true, SameSite: http.SameSiteStrictMode})
		ui.Forward(w, r)
	}
}

// equal compares a text with a digest in constant time.
func equal(known digest, text string) bool {
	given := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(known[:], given[:]) == 1
}
