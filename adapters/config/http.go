package config

import (
	"time"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// HTTP holds the settings of access over HTTP. An idle session takes about 45 KiB, so the maximum of sessions is a few GiB.
type HTTP struct {
	// Tokens are in the order of the file.
	Tokens []Token `key:"tokens"`
	// Auth is the authorization server whose access tokens are accepted too, nil for none.
	Auth *Auth `key:"auth"`
	// AllowHosts and AllowOrigins are allowed in addition to local ones.
	AllowHosts   []string `key:"allowHosts" form:"host" wanted:"a host, with a port or without, for example mcp.example.com"`
	AllowOrigins []string `key:"allowOrigins" form:"origin" wanted:"a scheme and a host, for example https://app.example.com"`
	// MaxSessions is the maximum number of sessions at once, 0 if it is not set.
	MaxSessions int `key:"maxSessions" from:"1" to:"65536" is:"harmless"`
	// MaxSessionsPerIdentity is the maximum number of sessions of one identity, 0 if it is not set.
	MaxSessionsPerIdentity int `key:"maxSessionsPerIdentity" from:"1" to:"65536" is:"harmless"`
	// Drain is the time for which the workbench still serves hosts after a signal to end. Meanwhile /readyz answers 503,
	// so that a load balancer sends hosts elsewhere.
	Drain time.Duration `key:"drain" to:"1m" is:"harmless"`
	// WithoutPage says that the page that "ui" controls is off.
	WithoutPage bool `key:"ui" is:"off"`
	// MetricsByTool says that metrics count the calls of each tool.
	MetricsByTool bool `key:"metricsByTool" is:"harmless"`
	// MetricsByIdentity says that metrics count the calls and sessions of each identity.
	MetricsByIdentity bool `key:"metricsByIdentity" is:"harmless"`
	// IsWrong is set if a part of the settings could not be read. Nothing must be served then.
	IsWrong bool
}

// Token lets a caller in.
type Token struct {
	Name string
	// Value is the token itself, which is a secret, or "" if a variable in it is not set or empty.
	Value string `key:"value" form:"any" required:"the token, for example \"${CI_TOKEN}\"" is:"secret"`
	// Unset is that variable, or nil.
	Unset *domain.UnsetVariableError
	// Toolboxes are those that the caller sees, nil for all.
	Toolboxes []string `key:"toolboxes" form:"any" required:"a list of toolboxes, [\"*\"] for all"`
}

// Auth decides which access tokens of an authorization server are accepted.
type Auth struct {
	Issuer   string   `key:"issuer" required:"the URL of the authorization server" form:"issuer" wanted:"the https URL of an authorization server"`
	Resource string   `key:"resource" required:"the URL that hosts call, for which tokens must be issued" form:"resource" wanted:"the URL that hosts call, for example https://mcp.example.com/mcp"`
	Scopes   []string `key:"scopes" form:"scope" wanted:"a scope: characters of ASCII without spaces, quotes and backslashes"`
	// Introspection validates tokens that are not JWTs. If it is nil, such tokens are refused.
	Introspection *Introspection `key:"introspection" wanted:"an object with \"endpoint\", \"clientId\" and \"clientSecret\""`
	// Unset is the first variable without a value, or nil. If it is set,
	// nothing else here is used.
	Unset *domain.UnsetVariableError
}

// Introspection is an endpoint that validates tokens (RFC 7662), and the client that calls it.
type Introspection struct {
	Endpoint string `key:"endpoint" required:"the URL that validates tokens" form:"issuer" wanted:"the https URL that validates tokens"`
	ClientID string `key:"clientId" required:"the id of this client" form:"any" wanted:"the id of this client"`
	// ClientSecret is a secret.
	ClientSecret string `key:"clientSecret" required:"its secret" form:"any" wanted:"the secret of this client, for example \"${CLIENT_SECRET}\"" is:"secret"`
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

// httpReading are the settings of access while they are read. Names are those of the toolboxes of all files.
type httpReading struct {
	HTTP
	names []string
}

// readHTTP reads the settings of access over HTTP. Names are those of the toolboxes of all files.
func readHTTP(r *reader, n tree.Node, names []string) HTTP {
	before := len(r.Problems)
	reading := httpReading{names: names}
	r.fill(n, "an object with the callers to let in", &reading)
	reading.IsWrong = len(r.Problems) > before
	return reading.HTTP
}

// readField implements fieldReader.
func (h *httpReading) readField(r *reader, field any, n tree.Node) bool {
	switch field {
	case &h.Tokens:
		h.Tokens = readTokens(r, n, h.names)
	case &h.Auth:
		r.unset, h.Auth = nil, &Auth{}
		r.fill(n, `an object with "issuer" and "resource"`, h.Auth)
		h.Auth.Unset = r.unset
	default:
		return false
	}
	return true
}
