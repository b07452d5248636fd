package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
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

// discover finds the authorization server of a server. The result is not kept, since a server may
// move to another one.
func (c *Client) discover(ctx context.Context, server Server, challenge Challenge) (*discovered, error) {
	if _, err := checkAddress(server.Address.String()); err != nil {
		return nil, fmt.Errorf("the server's address is %w; tokens are not sent there", err)
	}
	httpClient, allowsPrivate, err := c.httpClient(ctx, server.Address)
	if err != nil {
		return nil, err
	}
	resource, err := findResourceMetadata(ctx, httpClient, server.Address, challenge)
	if err != nil {
		return nil, err
	}
	found := &discovered{client: httpClient, resource: CanonicalURL(server.Address), allowsPrivate: allowsPrivate}
	issuer := server.Settings.Issuer
	if resource != nil {
		found.resource, found.scopes = resource.Resource, resource.ScopesSupported
		if issuer, err = chooseIssuer(resource.AuthorizationServers, issuer); err != nil {
			return nil, err
		}
	}
	if issuer == "" {
		return c.discoverLegacy(ctx, found, server.Address, challenge)
	}
	found.server, err = findServerMetadata(ctx, httpClient, issuer)
	if err != nil {
		return nil, err
	}
	return found, nil
}

// chooseIssuer chooses among the authorization servers of a resource: the configured one, else
// the first. If the resource names none, the configuration must.
func chooseIssuer(offered []string, configured string) (string, error) {
	switch {
	case configured == "" && len(offered) == 0:
		return "", errors.New(`the metadata of the server names no authorization server; "oauth.issuer" in the configuration can`)
	case configured == "":
		return offered[0], nil
	case len(offered) > 0 && !slices.Contains(offered, configured):
		return "", fmt.Errorf(`the server accepts logins at %s, and "oauth.issuer" in the configuration names %s`, originOf(offered[0]), originOf(configured))
	}
	return configured, nil
}

// ErrNoAuthority says that no authorization server was found, and that nothing names one.
var ErrNoAuthority = errors.New("the server does not say where to log in")

// discoverLegacy finds the authorization server of a server of 2025-03-26, which is its own. It
// is used only if the challenge names nothing else, since the fallback hides mistakes.
func (c *Client) discoverLegacy(ctx context.Context, found *discovered, server *url.URL, challenge Challenge) (*discovered, error) {
	if challenge.ResourceMetadata != "" || challenge.Scopes != nil {
		return nil, errors.New(`the server has no metadata that names its authorization server; "oauth.issuer" in the configuration can`)
	}
	metadata, err := findServerMetadata(ctx, found.client, Origin(server))
	if err != nil {
		return nil, fmt.Errorf(`%w ("oauth.issuer" in the configuration can), and is not an authorization server itself: %w`, ErrNoAuthority, err)
	}
	found.server = metadata
	return found, nil
}
