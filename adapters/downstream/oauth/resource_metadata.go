package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// resourceMetadata is the metadata of a protected resource (RFC 9728).
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	ScopesSupported      []string `json:"scopes_supported"`
}

// findResourceMetadata fetches the metadata of a server: from the address in the challenge, else
// from the well-known ones, that of the path before that of the root (MCP 2025-11-25 and
// 2026-07-28, authorization server discovery). It returns nil if the server has none.
func findResourceMetadata(ctx context.Context, client *http.Client, server *url.URL, challenge Challenge) (*resourceMetadata, error) {
	if named := challenge.ResourceMetadata; named != "" {
		if _, err := checkAddress(named); err != nil {
			return nil, fmt.Errorf("the server's challenge names metadata at %w", err)
		}
		metadata, err := fetchResourceMetadata(ctx, client, server, named)
		if err == nil && metadata == nil {
			err = errors.New("the server's challenge names metadata that is not there")
		}
		return metadata, err
	}
	for _, address := range wellKnownResource(server) {
		if metadata, err := fetchResourceMetadata(ctx, client, server, address); metadata != nil || err != nil {
			return metadata, err
		}
	}
	return nil, nil
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
	got, err := get(ctx, client, address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the metadata of the server: %w", err)
	case got.status >= http.StatusInternalServerError:
		return nil, fmt.Errorf("read the metadata of the server: %s answered with %s", originOf(address), got.words())
	case !got.isObject():
		return nil, nil
	}
	var metadata resourceMetadata
	if err := json.Unmarshal(got.body, &metadata); err != nil {
		return nil, fmt.Errorf("the metadata of the server, from %s, does not follow RFC 9728", originOf(address))
	}
	if !isResourceOf(metadata.Resource, server) {
		return nil, fmt.Errorf("the metadata of the server is for another resource (%s), so it is not used", originOf(metadata.Resource))
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
