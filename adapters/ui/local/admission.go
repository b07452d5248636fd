package local

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
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
	root     string // the path above the pages, with a secret first segment
	until    time.Time
	admitted func() // called once

	mu     sync.Mutex
	token  digest // of the token
	key    digest // of the value of the cookie, zero before the token was used
	isUsed bool
}

type digest [sha256.Size]byte

// cookieName is the name of the cookie. Its path tells one page from another.
const cookieName = "mcp-workbench-ui"

// newAdmission returns an admission that calls admitted when a browser is, and the path that is admitted, with its
// query.
//
// Decision: the pages are below a path with a secret segment, and so is the cookie. Browsers send cookies to all
// ports of a host, so that a server of another user on 127.0.0.1 would get one whose path it can guess.
func newAdmission(now time.Time, admitted func()) (gate *admission, path string) {
	token := rand.Text()
	gate = &admission{root: "/" + rand.Text(), until: now.Add(tokenTime), admitted: admitted, token: sha256.Sum256([]byte(token))}
	return gate, gate.root + ui.Path + "?" + tokenKey + "=" + token
}

// protect returns a handler that passes on the requests of the admitted browser, without the secret segment.
func (a *admission) protect(next http.Handler) http.Handler {
	below := http.StripPrefix(a.root, a.protectBelow(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, a.root+"/") {
			refuseStranger(w, r)
			return
		}
		below.ServeHTTP(w, r)
	})
}

func refuseStranger(w http.ResponseWriter, r *http.Request) {
	ui.Refuse(w, r, "Open the address that 'mcp-workbench ui' printed: only the browser that opened it can see this page.")
}

func (a *admission) protectBelow(next http.Handler) http.Handler {
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
			refuseStranger(w, r)
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
	cookie, err := r.Cookie(cookieName)
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
		http.SetCookie(w, &http.Cookie{Name: cookieName, Value: key, Path: a.root + ui.Path, HttpOnly: true, SameSite: http.SameSiteStrictMode})
		a.admitted()
		ui.Forward(w, r)
	}
}

// equal compares a text with a digest in constant time.
func equal(known digest, text string) bool {
	given := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(known[:], given[:]) == 1
}
