package config

import (
	"mcp-workbench/domain"
	"mcp-workbench/domain/webaddress"
)

const (
	httpKey         = "http"
	tokensKey       = "tokens"
	allowHostsKey   = "allowHosts"
	allowOriginsKey = "allowOrigins"
	authKey         = "auth"
	maxSessionsKey  = "maxSessions"
	maxOfOneKey     = "maxSessionsPerIdentity"
	valueKey        = "value"
	issuerKey       = "issuer"
	resourceKey     = "resource"
	scopesKey       = "scopes"
)

var (
	httpKeys  = []string{tokensKey, authKey, allowHostsKey, allowOriginsKey, maxSessionsKey, maxOfOneKey}
	tokenKeys = []string{valueKey, toolboxesKey}
	authKeys  = []string{issuerKey, resourceKey, scopesKey}
)

// sessionLimit is a limit of sessions. An idle session takes about 45 KiB, so the maximum is a few
// GiB.
var sessionLimit = limit{read: wholeNumber, min: 1, max: 65536, wanted: "a whole number from 1 to 65536"}

// HTTP decides who can call when the workbench listens on HTTP.
type HTTP struct {
	// Tokens are in the order of the file.
	Tokens []Token
	// Auth is the authorization server whose access tokens are accepted too, nil for none.
	Auth *Auth
	// AllowHosts and AllowOrigins are allowed besides those of this machine.
	AllowHosts, AllowOrigins []string
	// MaxSessions is how many sessions there can be at once, 0 if it is not set.
	MaxSessions int
	// MaxSessionsPerIdentity is how many of them one identity can have, 0 if it is not set.
	MaxSessionsPerIdentity int
	// IsWrong is set when a part of it could not be read, so that nothing must be served with it.
	IsWrong bool
}

// Token lets a caller in.
type Token struct {
	Name string
	// Value is the token itself, "" when a variable in it is not set or empty. It is a secret.
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
	// Unset is the first variable without a value, nil when there is none. If it is set,
	// nothing else here is used.
	Unset *domain.UnsetVariableError
}

// Secrets returns the values that must not be shown.
func (h HTTP) Secrets() domain.Secrets {
	var secrets domain.Secrets
	for _, token := range h.Tokens {
		if token.Value != "" {
			secrets = append(secrets, domain.Secret{Value: token.Value, Shown: "***"})
		}
	}
	return secrets
}

// httpReader reads who can call over HTTP.
type httpReader struct {
	reader
	// toolboxes are the names of all toolboxes in the file.
	toolboxes []string
}

// http reads who can call over HTTP.
func (r reader) http(n node, toolboxes []string) HTTP {
	h := httpReader{r, toolboxes}
	before := len(r.problems)
	fields, _ := r.object(n, settingKeys, "an object that says who may call")
	var result HTTP
	for _, field := range fields {
		switch field.name {
		case tokensKey:
			result.Tokens = h.tokens(field.node)
		case authKey:
			result.Auth = h.auth(field.node)
		case allowHostsKey:
			result.AllowHosts = r.matching(field.node, "a host, with a port or without, for example mcp.example.com", webaddress.IsHost)
		case allowOriginsKey:
			result.AllowOrigins = r.matching(field.node, "a scheme and a host, for example https://app.example.com", webaddress.IsOrigin)
		case maxSessionsKey:
			number, _ := r.limit(field.node, sessionLimit)
			result.MaxSessions = int(number)
		case maxOfOneKey:
			number, _ := r.limit(field.node, sessionLimit)
			result.MaxSessionsPerIdentity = int(number)
		default:
			r.unknownKey(field, httpKeys)
		}
	}
	result.IsWrong = len(r.problems) > before
	return result
}
