package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
)

// discovered holds the metadata found for a server: its own, and that of its authorization server.
type discovered struct {
	client   *http.Client
	resource string // as the server names itself, "" if it does not
	scopes   []string
	server   *serverMetadata
	// allowsPrivate says that the server is in a private network, so that its metadata may
	// lead there.
	allowsPrivate bool
}

// source returns the source of tokens for a client that authenticates by a method.
func (d *discovered) source(method, clientID, clientSecret string) logins.TokenSource {
	return logins.TokenSource{
		Issuer: d.server.Issuer, TokenEndpoint: d.server.TokenEndpoint, RevocationEndpoint: d.server.RevocationEndpoint,
		AuthMethod: method, Resource: d.resource, ClientID: clientID, ClientSecret: clientSecret,
	}
}

// discover finds the authorization server of a server. The result is not kept, since a server may
// move to another one.
func (c *Client) discover(ctx context.Context, server Server, challenge logins.Challenge) (*discovered, error) {
	if _, err := checkAddress(server.Address.String()); err != nil {
		return nil, fmt.Errorf("the server's address is %w; tokens are not sent there", err)
	}
	httpClient, allowsPrivate, err := c.httpClient(ctx, server)
	if err != nil {
		return nil, err
	}
	configured := server.Settings.Issuer
	resource, err := findResourceMetadata(ctx, httpClient, server.Address, challenge)
	if err != nil && (configured == "" || ctx.Err() != nil) {
		return nil, err
	}
	found := &discovered{client: httpClient, resource: canonicalURL(server.Address), allowsPrivate: allowsPrivate}
	if err != nil {
		// The configured issuer gets the request for a token in any case, and for this server only.
		c.log.Debug("the metadata of the server cannot be used, and the configuration names the issuer", "server", server.ID, "error", err)
	}
	var offered []string
	if resource != nil {
		found.resource, found.scopes, offered = resource.Resource, resource.ScopesSupported, resource.AuthorizationServers
	}
	switch {
	case configured != "":
		found.server, err = findConfigured(ctx, httpClient, configured, offered)
	case len(offered) > 0:
		found.server, err = findServerMetadata(ctx, httpClient, offered[0], false)
	case resource != nil:
		return nil, errors.New(`the metadata of the server names no authorization server; "oauth.issuer" in the configuration can`)
	default:
		return c.discoverLegacy(ctx, found, server.Address, challenge)
	}
	if err != nil {
		return nil, err
	}
	return found, nil
}

// findConfigured fetches the metadata of the configured issuer. What the server offers decides
// nothing: the user knows the issuer, and gets a way round a server that names a wrong one.
func findConfigured(ctx context.Context, client *http.Client, configured string, offered []string) (*serverMetadata, error) {
	metadata, err := findServerMetadata(ctx, client, configured, true)
	isOffered := slices.ContainsFunc(offered, func(issuer string) bool { return domain.SameIssuer(issuer, configured) })
	if err != nil && len(offered) > 0 && !isOffered {
		return nil, fmt.Errorf(`the server accepts logins at %s, "oauth.issuer" in the configuration names %s, and %w`,
			whole(offered[0]), whole(configured), err)
	}
	return metadata, err
}

// ErrNoAuthority says that no authorization server was found, and that nothing names one.
var ErrNoAuthority = errors.New("the server does not say where to log in")

// discoverLegacy finds the authorization server of a server of 2025-03-26, which is its own. It
// is used only if the challenge names nothing else, since the fallback hides mistakes.
func (c *Client) discoverLegacy(ctx context.Context, found *discovered, server *url.URL, challenge logins.Challenge) (*discovered, error) {
	if challenge.ResourceMetadata != "" || challenge.Scopes != nil {
		return nil, errors.New(`the server has no metadata that names its authorization server; "oauth.issuer" in the configuration can`)
	}
	metadata, err := findServerMetadata(ctx, found.client, Origin(server), false)
	if err != nil {
		return nil, fmt.Errorf(`%w ("oauth.issuer" in the configuration can), and is not an authorization server itself: %w`, ErrNoAuthority, err)
	}
	found.server = metadata
	return found, nil
}
