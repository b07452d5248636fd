package oauth

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/textproto"
	"net/url"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/domain"
)

// Client is the OAuth client of the workbench, for the authorization servers of all servers. Safe
// for concurrent use.
type Client struct {
	// Store keeps the logins.
	Store *logins.Store
	// name is the name under which the client registers.
	name    string
	secrets *Secrets
	log     *slog.Logger
}

// New returns a client that keeps logins in the store. The authorization server shows name to the
// user who logs in. Secrets learns every secret before it is used.
func New(store *logins.Store, name string, secrets *Secrets, log *slog.Logger) *Client {
	return &Client{Store: store, name: name, secrets: secrets, log: log}
}

// hide removes a secret from all later messages.
func (c *Client) hide(secret string) { c.secrets.Learn(secret) }

// hideClient hides the secret of a client, also as requests encode it (RFC 6749 section 2.3.1).
func (c *Client) hideClient(id, secret string) {
	if secret == "" {
		return
	}
	c.hide(secret)
	c.hide(basicCredentials(id, secret))
}

// basicCredentials returns the secret of a client as requests encode it.
func basicCredentials(id, secret string) string {
	return base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id) + ":" + url.QueryEscape(secret)))
}

// Redact returns the text without the known secrets.
func (c *Client) Redact(text string) string { return c.secrets.Redact(text) }

// Server is a server that may want a login.
type Server struct {
	ID      domain.ServerID
	Address *url.URL
	// Settings are those of "oauth", with variables expanded.
	Settings Settings
	// Certificate is that of "tls". Only requests to the origin of Address show it.
	Certificate certificates.Client
}

// Key returns the key of the login at the server.
func (s Server) Key() logins.Key {
	return logins.Key{Server: canonicalURL(s.Address), ClientID: s.Settings.ClientID, Account: s.Settings.Account}
}

// Why a server has no logins.
var (
	// ErrNoAddress says that the server has no URL.
	ErrNoAddress = errors.New("the server has no URL, so it needs no login")
	// ErrOff says that logins are turned off for the server.
	ErrOff = errors.New(`"oauth" is false for the server in the configuration`)
	// ErrHasAuthorization says that the configuration has an Authorization header.
	ErrHasAuthorization = errors.New(`the configuration has an "Authorization" header for the server, which is used instead of a login`)
)

// ServerOf returns the Server of a configured server.
//
// Errors: ErrNoAddress, ErrOff and ErrHasAuthorization if the server has no logins; those of
// Check.
func ServerOf(configured domain.Server) (Server, error) {
	var settings struct {
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
		OAuth   json.RawMessage   `json:"oauth"`

		TLS certificates.Client `json:"tls"`
	}
	if err := json.Unmarshal(configured.Settings, &settings); err != nil || settings.URL == "" {
		return Server{}, ErrNoAddress
	}
	address, err := ParseURL(settings.URL)
	if err != nil {
		return Server{}, ErrNoAddress
	}
	for name := range settings.Headers {
		if textproto.CanonicalMIMEHeaderKey(name) == "Authorization" {
			return Server{}, ErrHasAuthorization
		}
	}
	if address.User != nil { // net/http sends it as Authorization
		return Server{}, ErrHasAuthorization
	}
	parsed, err := parseSettings(settings.OAuth)
	switch {
	case err != nil:
		return Server{}, fmt.Errorf(`its "oauth" is wrong: %w`, err)
	case parsed.Off:
		return Server{}, ErrOff
	}
	return Server{ID: configured.ID, Address: address, Settings: parsed, Certificate: settings.TLS}, nil
}

// httpClient returns the client for requests to the authorization server of a server, and whether
// that may be in a private network because the server is in one; see newHTTPClient.
func (c *Client) httpClient(ctx context.Context, server Server) (client *http.Client, allowsPrivate bool, err error) {
	if own := server.Settings; own.ClientSecret != "" {
		c.secrets.LearnOwn(own.ClientSecret)
		c.secrets.LearnOwn(basicCredentials(own.ClientID, own.ClientSecret))
	}
	roots, err := certificates.Roots()
	if err != nil {
		return nil, false, err
	}
	own := &tls.Config{RootCAs: roots}
	server.Certificate.Show(own)
	allowsPrivate = isPrivateServer(ctx, server.Address, own, net.DefaultResolver.LookupNetIP)
	client = newHTTPClient(own, allowsPrivate)
	if server.Certificate != (certificates.Client{}) {
		client.Transport = newCertifiedTransport(server, own, allowsPrivate)
	}
	return client, allowsPrivate, nil
}

// certifiedTransport shows the certificate of the workbench to the server itself only: its metadata names the other
// addresses.
type certifiedTransport struct {
	origin      string
	own, others http.RoundTripper
}

// newCertifiedTransport returns the transport for a server whose certificate the settings of TLS show.
func newCertifiedTransport(server Server, own *tls.Config, allowsPrivate bool) *certifiedTransport {
	others := own.Clone()
	others.GetClientCertificate = nil
	return &certifiedTransport{Origin(server.Address), newHTTPClient(own, allowsPrivate).Transport, newHTTPClient(others, allowsPrivate).Transport}
}

// RoundTrip implements http.RoundTripper.
func (t *certifiedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if Origin(request.URL) == t.origin {
		return t.own.RoundTrip(request)
	}
	return t.others.RoundTrip(request)
}
