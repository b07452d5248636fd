package config

import (
	"time"

	"mcp-workbench/domain"
)

const (
	httpKey         = "http"
	tokensKey       = "tokens"
	allowHostsKey   = "allowHosts"
	allowOriginsKey = "allowOrigins"
	authKey         = "auth"
	maxSessionsKey  = "maxSessions"
	maxOfOneKey     = "maxSessionsPerIdentity"
	byToolKey       = "metricsByTool"
	byIdentityKey   = "metricsByIdentity"
	drainKey        = "drain"
	pageKey         = "ui"
	valueKey        = "value"
	issuerKey       = "issuer"
	resourceKey     = "resource"
	scopesKey       = "scopes"
	introspectKey   = "introspection"
	endpointKey     = "endpoint"
	clientIDKey     = "clientId"
	clientSecretKey = "clientSecret"
)

// sessionLimit is a limit of sessions. An idle session takes about 45 KiB, so the maximum is a few
// GiB.
var sessionLimit = limit{read: wholeNumber, min: 1, max: 65536, wanted: "a whole number from 1 to 65536"}

// drainLimit bounds the time that a load balancer has to notice that the workbench is ending.
var drainLimit = limit{read: nanoseconds, max: int64(time.Minute), wanted: `a duration up to "1m", or a number of seconds`}

// HTTP holds the settings of access over HTTP.
type HTTP struct {
	// Tokens are in the order of the file.
	Tokens []Token
	// Auth is the authorization server whose access tokens are accepted too, nil for none.
	Auth *Auth
	// AllowHosts and AllowOrigins are allowed in addition to local ones.
	AllowHosts, AllowOrigins []string
	// MaxSessions is the maximum number of sessions at once, 0 if it is not set.
	MaxSessions int
	// MaxSessionsPerIdentity is the maximum number of sessions of one identity, 0 if it is not set.
	MaxSessionsPerIdentity int
	// Drain is how long hosts are still served after the signal to end, while /readyz answers 503.
	Drain time.Duration
	// WithoutPage says that the page that "ui" controls is off.
	WithoutPage bool
	// MetricsByTool says that metrics count the calls of each tool.
	MetricsByTool bool
	// MetricsByIdentity says that metrics count the calls and sessions of each identity.
	MetricsByIdentity bool
	// IsWrong is set if a part of the settings could not be read. Nothing must be served then.
	IsWrong bool
}

// Token lets a caller in.
type Token struct {
	Name string
	// Value is the token itself, which is a secret, or "" if a variable in it is not set or empty.
	Value string
	// Unset is that variable, nil when there is none.
	Unset *domain.UnsetVariableError
	// Toolboxes are those that the caller sees, nil for all.
	Toolboxes []string
}

// Auth decides which access tokens of an authorization server are accepted.
type Auth struct {
	Issuer, Resource string
	Scopes           []string
	// Introspection validates tokens that are not JWTs. If it is nil, such tokens are refused.
	Introspection *Introspection
	// Unset is the first variable without a value, nil when there is none. If it is set,
	// nothing else here is used.
	Unset *domain.UnsetVariableError
}

// Introspection is an endpoint that validates tokens (RFC 7662), and the client that calls it.
type Introspection struct {
	Endpoint, ClientID string
	// ClientSecret is a secret.
	ClientSecret string
}

// Secrets returns the values that must not be shown.
func (h HTTP) Secrets() domain.Secrets {
	var secrets domain.Secrets
	for _, token := range h.Tokens {
		if token.Value != "" {
			secrets = append(secrets, domain.Secret{Value: token.Value, Shown: "***"})
		}
	}
	if h.Auth != nil && h.Auth.Introspection != nil && h.Auth.Introspection.ClientSecret != "" {
		secrets = append(secrets, domain.Secret{Value: h.Auth.Introspection.ClientSecret, Shown: "***"})
	}
	return secrets
}

// http reads the settings of access over HTTP. toolboxes are the names of all toolboxes in the file.
func (r *reader) http(n node, toolboxes []string) HTTP {
	before := len(r.problems)
	var result HTTP
	sessions := func(count *int) func(node) {
		return func(n node) {
			number, _ := r.limit(n, sessionLimit)
			*count = int(number)
		}
	}
	r.fields(
		n, "an object with the callers to let in",
		field{tokensKey, "", func(n node) { result.Tokens = r.tokens(n, toolboxes) }},
		field{authKey, "", func(n node) { result.Auth = r.auth(n) }},
		field{allowHostsKey, "", func(n node) {
			result.AllowHosts = r.matching(n, "a host, with a port or without, for example mcp.example.com", domain.IsHostHeader)
		}},
		field{allowOriginsKey, "", func(n node) {
			result.AllowOrigins = r.matching(n, "a scheme and a host, for example https://app.example.com", domain.IsOrigin)
		}},
		field{maxSessionsKey, "", sessions(&result.MaxSessions)},
		field{maxOfOneKey, "", sessions(&result.MaxSessionsPerIdentity)},
		field{drainKey, "", func(n node) {
			drain, _ := r.limit(n, drainLimit)
			result.Drain = time.Duration(drain)
		}},
		field{pageKey, "", func(n node) { result.WithoutPage = !r.boolean(n) }},
		field{byToolKey, "", func(n node) { result.MetricsByTool = r.boolean(n) }},
		field{byIdentityKey, "", func(n node) { result.MetricsByIdentity = r.boolean(n) }},
	)
	result.IsWrong = len(r.problems) > before
	return result
}

// auth reads which access tokens of an authorization server are accepted.
func (r *reader) auth(n node) *Auth {
	auth := &Auth{}
	text := func(result *string, wanted string, fits func(string) bool) func(node) {
		return func(n node) {
			written, ok := r.text(n, wanted)
			if !ok {
				return
			}
			expanded, unset := r.expanded(n, written)
			switch {
			case unset != nil && auth.Unset == nil:
				auth.Unset = unset
				r.warnUnset(n, unset, "nothing can be served over HTTP")
			case unset == nil && !fits(expanded.text):
				r.wrongValue(n, wanted)
			}
			*result = expanded.text
		}
	}
	const issuer, resource = "the https URL of an authorization server", "the URL that hosts call, for example https://mcp.example.com/mcp"
	r.fields(
		n, `an object with "issuer" and "resource"`,
		field{issuerKey, "the URL of the authorization server", text(&auth.Issuer, issuer, domain.IsIssuer)},
		field{resourceKey, "the URL that hosts call, for which tokens must be issued", text(&auth.Resource, resource, domain.IsResource)},
		field{scopesKey, "", func(n node) {
			auth.Scopes = r.matching(n, "a scope: characters of ASCII without spaces, quotes and backslashes", domain.IsScope)
		}},
		field{introspectKey, "", func(n node) {
			asked := &Introspection{}
			auth.Introspection = asked
			isThere := func(text string) bool { return text != "" }
			r.fields(
				n, `an object with "endpoint", "clientId" and "clientSecret"`,
				field{endpointKey, "the URL that validates tokens", text(&asked.Endpoint, "the https URL that validates tokens", domain.IsIssuer)},
				field{clientIDKey, "the id of this client", text(&asked.ClientID, "the id of this client", isThere)},
				field{clientSecretKey, "its secret", text(&asked.ClientSecret, `the secret of this client, for example "${CLIENT_SECRET}"`, isThere)},
			)
		}},
	)
	return auth
}
