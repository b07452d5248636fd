package callers

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
)

// A Verifier verifies bearer tokens that are not configured. Safe for concurrent use.
type Verifier interface {
	// Verify returns the access that a token gives. Sources of tokens take turns where they are
	// verified; a source is only compared.
	//
	// Failures: *RefusedError for a token that is not accepted; others if the token cannot be
	// verified now.
	Verify(ctx context.Context, token, source string) (Access, error)
	// Challenge returns parameters for WWW-Authenticate that say how to get a token,
	// `name="value"` separated by commas.
	Challenge() string
}

// RefusedError is the refusal of a token.
type RefusedError struct {
	// NeedsScope is set when the token is valid but lacks a scope.
	NeedsScope bool
	// Reason can be shown to the caller. It contains no part of the token.
	Reason string
}

// Error implements error.
func (e *RefusedError) Error() string { return e.Reason }

// A Gate lets in callers that authenticate. Safe for concurrent use.
type Gate struct {
	known    atomic.Pointer[knownTokens]
	verifier Verifier // nil if only configured tokens are accepted
	refusals *Refusals
	log      *slog.Logger
}

// NewGate returns a gate for these tokens. verifier may be nil. Without tokens and verifier,
// every caller that does not come through a proxy gets in, with the identity "". refusals logs
// the requests that the gate refuses.
func NewGate(tokens []Token, verifier Verifier, refusals *Refusals, log *slog.Logger) *Gate {
	g := &Gate{verifier: verifier, refusals: refusals, log: log}
	first := &knownTokens{open: verifier == nil, openEnded: make(chan struct{}), versions: map[string]int{}}
	g.known.Store(newKnownTokens(tokens, first))
	return g
}

// Authenticate returns a handler that passes on requests of callers that get in, with their
// access in the context, and refuses the others: with 401 without a valid token, with 403 for a
// token with too few scopes or, if no token is needed, for a proxy, and with 503 if the token
// cannot be verified now. The access is revoked when its token is removed.
func (g *Gate) Authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		known := g.known.Load()
		if known.open {
			if header := proxyHeader(r); header != "" {
				g.refusals.Refuse(w, r, http.StatusForbidden, "the header "+header+" says that a proxy passed this request on, and calls here need "+
					"no authentication; the operator has to configure http.tokens or http.auth")
				return
			}
			pass(w, r, next, Access{Revoked: known.openEnded})
			return
		}
		token, problem := bearerToken(r)
		if problem != "" {
			g.refuse(w, r, http.StatusUnauthorized, "", problem)
			return
		}
		if found := known.find(token); found != nil {
			pass(w, r, next, found.access)
			return
		}
		if g.verifier == nil {
			g.refuse(w, r, http.StatusUnauthorized, "invalid_token", "the token is not known")
			return
		}
		granted, err := g.verifier.Verify(r.Context(), token, source(r))
		refused, isRefused := errors.AsType[*RefusedError](err)
		switch {
		case err == nil:
			pass(w, r, next, granted)
		case isRefused && refused.NeedsScope:
			g.refuse(w, r, http.StatusForbidden, "insufficient_scope", refused.Reason)
		case isRefused:
			g.refuse(w, r, http.StatusUnauthorized, "invalid_token", refused.Reason)
		default:
			g.log.Debug("a token could not be verified", "error", err)
			w.Header().Set("Retry-After", "5")
			Refuse(w, r, http.StatusServiceUnavailable, "the token cannot be verified now; try again later")
		}
	})
}

// network is the length of the prefix of an IPv6 network. A caller with one address of it has all of them.
const network = 64

// source returns the address that a request comes from, for IPv6 its network. Decision: it is the
// address of the connection, since nothing says which proxies may name others in their headers.
func source(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address := from.Addr().Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	return netip.PrefixFrom(address, network).Masked().String()
}

// proxyHeader returns the name of a header that only proxies send, "" if there is none. Through a
// proxy on this machine other machines would reach a workbench without tokens.
func proxyHeader(r *http.Request) string {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Real-IP"} {
		if len(r.Header.Values(name)) > 0 {
			return name
		}
	}
	return ""
}

// pass passes on a request with its access.
func pass(w http.ResponseWriter, r *http.Request, next http.Handler, granted Access) {
	next.ServeHTTP(w, r.WithContext(WithAccess(r.Context(), granted)))
}

// refuse refuses a request without an accepted token (RFC 6750, section 3).
func (g *Gate) refuse(w http.ResponseWriter, r *http.Request, status int, code, reason string) {
	var parameters []string
	if code != "" {
		parameters = append(parameters, `error="`+code+`"`, `error_description="`+reason+`"`)
	} else if g.verifier == nil {
		parameters = append(parameters, `realm="mcp-workbench"`)
	}
	if g.verifier != nil {
		parameters = append(parameters, g.verifier.Challenge())
	}
	w.Header().Set("WWW-Authenticate", "Bearer "+strings.Join(parameters, ", "))
	g.refusals.Refuse(w, r, status, reason)
}

// bearerToken returns the token of a request, or why there is no usable one.
func bearerToken(r *http.Request) (token, problem string) {
	values := r.Header.Values("Authorization")
	switch {
	case len(values) == 0 && r.URL.Query().Has("access_token"):
		return "", "a token is accepted only in the Authorization header"
	case len(values) > 1:
		return "", "there is more than one Authorization header"
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", "a bearer token is needed, in the Authorization header"
	}
	return token, ""
}

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
