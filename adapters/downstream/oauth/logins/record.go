package logins

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// formatVersion is the version of the files that this program writes.
const formatVersion = 1

// Key identifies a login. A server in several toolboxes has one login.
type Key struct {
	// Server is the server's canonical URL.
	Server string `json:"server"`
	// ClientID is the configured client, "" for dynamic registration.
	ClientID string `json:"clientId,omitempty"`
	// Account distinguishes several logins at one server, "" for the only one.
	Account string `json:"account,omitempty"`
}

// Record is a login: the authorization server, the client's registrations and the tokens. Only
// Store.Update may change its lists, maps and pointers. Printing it shows no secret.
type Record struct {
	// Version is that of the file format. Store sets it and the key.
	Version int `json:"version"`
	Key     Key `json:"key"`

	// TokenSource is where the tokens came from.
	TokenSource

	// Registrations are the client's, by issuer.
	Registrations map[string]Registration `json:"registrations,omitempty"`

	// Requested and Granted are scopes.
	Requested []string `json:"requested,omitempty"`
	Granted   []string `json:"granted,omitempty"`

	AccessToken  string `json:"accessToken,omitempty"`
	RefreshToken string `json:"refreshToken,omitempty"`
	// Expiry is that of the access token, zero if the server did not say.
	Expiry time.Time `json:"expiry,omitzero"`
	// LastRefresh is when the tokens arrived.
	LastRefresh time.Time `json:"lastRefresh,omitzero"`

	// Challenge is the server's last challenge, nil once a login answered it.
	Challenge *Challenge `json:"challenge,omitempty"`
	// StepUps are the attempts to get more scopes, oldest first.
	StepUps []StepUp `json:"stepUps,omitempty"`
	// Refreshing says that a refresh token was sent, or was about to be sent, with an unknown outcome.
	Refreshing *Refreshing `json:"refreshing,omitempty"`
	// Ended says why the refresh token must not be sent again, "" while it may be sent.
	Ended string `json:"ended,omitempty"`
	// RefusesResource is the issuer that refused a request with "resource" (RFC 8707), "" if none did.
	RefusesResource string `json:"refusesResource,omitempty"`
	// Pending is the authorization request that the user has not answered yet.
	Pending *Pending `json:"pending,omitempty"`
}

// TokenSource is an authorization server, the client there, and the resource that tokens are for.
type TokenSource struct {
	// Issuer is the authorization server, as in its metadata.
	Issuer             string `json:"issuer,omitempty"`
	TokenEndpoint      string `json:"tokenEndpoint,omitempty"`
	RevocationEndpoint string `json:"revocationEndpoint,omitempty"`
	// AuthMethod is the method by which the client authenticates at the token endpoint (RFC 7591
	// section 2, token_endpoint_auth_method).
	AuthMethod string `json:"authMethod,omitempty"`
	// Resource is the "resource" of every request (RFC 8707), "" for requests without it.
	Resource     string `json:"resource,omitempty"`
	ClientID     string `json:"clientId,omitempty"`
	ClientSecret string `json:"clientSecret,omitempty"`
}

// Registration is a client as one authorization server knows it (RFC 7591).
type Registration struct {
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret,omitempty"`
	// SecretExpiry is zero for a secret that does not expire.
	SecretExpiry time.Time `json:"secretExpiry,omitzero"`
	// RedirectURI is the one that was registered.
	RedirectURI string `json:"redirectUri"`
	AuthMethod  string `json:"authMethod,omitempty"`
	// Scopes are those that the client was registered with; without them it may ask for any.
	Scopes []string `json:"scopes,omitempty"`
}

// Challenge holds what a server asks for when it refuses a request without a token, or without the scopes (RFC 6750
// section 3, RFC 9728 section 5.1).
type Challenge struct {
	// ResourceMetadata is where the server's metadata is, "" if it did not say.
	ResourceMetadata string `json:"resourceMetadata,omitempty"`
	// Scopes are those that the request needs, none if it did not say.
	Scopes []string `json:"scopes,omitempty"`
	// Error is the error code, such as "insufficient_scope", "" for none.
	Error string    `json:"error,omitempty"`
	Time  time.Time `json:"time"`
}

// StepUp is an attempt to get missing scopes.
type StepUp struct {
	Scopes []string  `json:"scopes"`
	Time   time.Time `json:"time"`
}

// Refreshing is the note about a refresh token that was sent.
type Refreshing struct {
	// Digest is the SHA-256 of the token, in hexadecimal.
	Digest string    `json:"digest"`
	Time   time.Time `json:"time"`
	// Again says that the token was sent for the second time, which is the last.
	Again bool `json:"again,omitempty"`
}

// Pending is an authorization request, with the data to check its response and to exchange the code.
type Pending struct {
	// URL is the address of the page to log in.
	URL string `json:"url"`
	// Link is the loopback address that redirects to URL, "" if none is served.
	Link        string   `json:"link,omitempty"`
	State       string   `json:"state"`
	Verifier    string   `json:"verifier"`
	RedirectURI string   `json:"redirectUri"`
	Scopes      []string `json:"scopes,omitempty"`

	TokenSource
	// RequiresIssuer says that the response must name the issuer (RFC 9207).
	RequiresIssuer bool `json:"requiresIssuer,omitempty"`
	// Tenants stands for the issuers of all tenants that the response may name too, "" for none.
	Tenants string `json:"tenants,omitempty"`

	Started time.Time `json:"started"`
}

// Tokens are the answer of a token endpoint.
type Tokens struct {
	AccessToken string
	// RefreshToken is "" if the one that was sent stays valid.
	RefreshToken string
	// Expiry is zero if the server did not say.
	Expiry time.Time
	// Granted is nil if the server did not say: then the scopes are unchanged.
	Granted []string
	// RefusesResource says that "resource" was refused, and left out.
	RefusesResource bool
}

// Format implements fmt.Formatter: no verb shows a token.
func (r Record) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "login at %s", r.Key.Server) }

// Format implements fmt.Formatter: no verb shows a secret.
func (s TokenSource) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "tokens of %s", s.Issuer) }

// Format implements fmt.Formatter: no verb shows a secret.
func (r Registration) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "client %s", r.ClientID) }

// Format implements fmt.Formatter: no verb shows the state or the verifier.
func (p Pending) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "pending login at %s", p.Issuer) }

// Format implements fmt.Formatter: no verb shows a token.
func (Tokens) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, "tokens") }

// LoggedIn reports whether the record has an access token, expired or not.
func (r Record) LoggedIn() bool { return r.AccessToken != "" }

// Accept sets tokens that just arrived. A login that had ended is valid again.
func (r *Record) Accept(tokens Tokens) {
	r.AccessToken, r.Expiry, r.LastRefresh = tokens.AccessToken, tokens.Expiry, time.Now().UTC()
	if tokens.RefreshToken != "" {
		r.RefreshToken = tokens.RefreshToken
	}
	if tokens.Granted != nil {
		r.Granted = tokens.Granted
	}
	if tokens.RefusesResource {
		r.Resource, r.RefusesResource = "", r.Issuer
	}
	r.Refreshing, r.Ended = nil, ""
}

// secrets returns the values that must not be printed. The state is not one of them: it is in the
// address that the user opens, and useless without the verifier.
func (r Record) secrets() []string {
	values := []string{r.AccessToken, r.RefreshToken, r.ClientSecret}
	for _, issuer := range slices.Sorted(maps.Keys(r.Registrations)) {
		values = append(values, r.Registrations[issuer].ClientSecret)
	}
	if r.Pending != nil {
		values = append(values, r.Pending.Verifier, r.Pending.ClientSecret)
	}
	return slices.DeleteFunc(values, func(value string) bool { return value == "" })
}
