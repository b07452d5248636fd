package resource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/webaddress"
)

// findAddress returns the address of the issuer's keys, from its metadata (RFC 8414,
// OpenID Connect Discovery 1.0).
func (k *keys) findAddress(ctx context.Context) (string, error) {
	issuer, err := url.Parse(k.issuer)
	if err != nil {
		return "", fmt.Errorf("read the issuer's address: %w", err)
	}
	var failure error
	for _, place := range metadataPlaces(issuer) {
		body, status, err := k.get(ctx, place)
		switch {
		case err != nil:
			return "", fmt.Errorf("read the metadata of the issuer: %w", err)
		case status != http.StatusOK:
			failure = errors.Join(failure, fmt.Errorf("%s: status %d", place, status))
			continue
		}
		return k.addressIn(body)
	}
	return "", fmt.Errorf("read the metadata of the issuer: %w", failure)
}

// addressIn returns the address of the keys that metadata names.
func (k *keys) addressIn(body []byte) (string, error) {
	var metadata struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := json.Unmarshal(body, &metadata); err != nil {
		return "", errors.New("read the metadata of the issuer: the document is not a JSON object with metadata")
	}
	if !domain.SameIssuer(metadata.Issuer, k.issuer) {
		return "", fmt.Errorf("the metadata of the issuer names another issuer, %q, not %q", metadata.Issuer, k.issuer)
	}
	address, _, _ := strings.Cut(metadata.Keys, "?")
	if !webaddress.IsIssuer(address) {
		return "", fmt.Errorf("the metadata of the issuer names %q as the address of its keys: want an https URL, or http for this machine", metadata.Keys)
	}
	return metadata.Keys, nil
}

// metadataPlaces returns where the metadata of an issuer may be.
func metadataPlaces(issuer *url.URL) []string {
	const oauth, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	root, path := issuer.Scheme+"://"+issuer.Host, strings.TrimSuffix(issuer.EscapedPath(), "/")
	if path == "" {
		return []string{root + oauth, root + openID}
	}
	return []string{root + oauth + path, root + openID + path, root + path + openID}
}
