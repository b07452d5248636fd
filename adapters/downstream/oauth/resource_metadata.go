package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// resourceMetadata is the metadata of a protected resource (RFC 9728).
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	ScopesSupported      []string `json:"scopes_supported"`
}

// errOtherResource says that metadata is for another resource.
var errOtherResource = errors.New("the metadata of the server is for another resource")

// findResourceMetadata fetches the metadata of a server: from the address in the challenge, else
// from the well-known ones, that of the path before that of the root (MCP 2025-11-25 and
// 2026-07-28, authorization server discovery). It returns nil if the server has none.
//
// Behind a proxy a challenge often names an internal address. If it leads to no metadata, the
// well-known places are tried, which only the server's own host can fill. Metadata of another
// resource is refused wherever it is.
func findResourceMetadata(ctx context.Context, client *http.Client, server *url.URL, challenge logins.Challenge) (*resourceMetadata, error) {
	var lost error
	if named := challenge.ResourceMetadata; named != "" {
		metadata, err := fetchNamedMetadata(ctx, client, server, named)
		if metadata != nil || errors.Is(err, errOtherResource) || ctx.Err() != nil {
			return metadata, err
		}
		lost = err
	}
	for _, address := range wellKnownResource(server) {
		if metadata, err := fetchResourceMetadata(ctx, client, server, address); metadata != nil || err != nil {
			return metadata, err
		}
	}
	if lost != nil {
		return nil, fmt.Errorf(`%w; the server has none at the well-known addresses either ("oauth.issuer" in the configuration names where to log in)`, lost)
	}
	return nil, nil
}

// fetchNamedMetadata fetches the metadata that a challenge names. An address without a host is one
// of the server.
func fetchNamedMetadata(ctx context.Context, client *http.Client, server *url.URL, named string) (*resourceMetadata, error) {
	if relative, err := url.Parse(named); err == nil && relative.Scheme == "" && relative.Host == "" {
		named = server.ResolveReference(relative).String()
	}
	if _, err := checkAddress(named); err != nil {
		return nil, fmt.Errorf("the server's challenge names metadata at %q, which is %w", whole(named), err)
	}
	metadata, err := fetchResourceMetadata(ctx, client, server, named)
	if err == nil && metadata == nil {
		err = fmt.Errorf("the server's challenge names metadata at %q that is not there", whole(named))
	}
	return metadata, err
}

// wellKnownResource returns where the metadata of a server may be (RFC 9728 section 3.1).
func wellKnownResource(server *url.URL) []string {
	root := Origin(server) + "/.well-known/oauth-protected-resource"
	if path := strings.TrimSuffix(server.EscapedPath(), "/"); path != "" {
		return []string{root + path, root}
	}
	return []string{root}
}

// fetchResourceMetadata fetches one document, nil if there is none at that address.
func fetchResourceMetadata(ctx context.Context, client *http.Client, server *url.URL, address string) (*resourceMetadata, error) {
	var metadata resourceMetadata
	if isThere, err := fetchMetadata(ctx, client, address, "the server", "RFC 9728", &metadata); !isThere {
		return nil, err
	}
	if !isResourceOf(metadata.Resource, server) {
		return nil, fmt.Errorf(`%w (%q, not %q), so it is not used; with "oauth.issuer" in the configuration the login does without it`,
			errOtherResource, whole(metadata.Resource), whole(canonicalURL(server)))
	}
	return &metadata, nil
}

// isResourceOf reports whether a resource is the server's address or one above it, without queries
// (RFC 9728 section 3.3; many servers name their origin for all their paths).
func isResourceOf(resource string, server *url.URL) bool {
	named, err := url.Parse(resource)
	if err != nil || named.Host == "" || Origin(named) != Origin(server) {
		return false
	}
	above, path := strings.TrimSuffix(named.EscapedPath(), "/"), server.EscapedPath()
	return path == above || strings.HasPrefix(path, above+"/")
}
