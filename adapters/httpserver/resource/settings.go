package resource

import (
	"errors"
	"fmt"
	"net/url"

	"mcp-workbench/domain/webaddress"
)

// Settings decide which tokens are accepted.
type Settings struct {
	// Issuer is the authorization server, as its metadata and its tokens name it.
	Issuer string
	// Resource is the address of this workbench as hosts know it. Tokens must be for it.
	Resource string
	// Scopes are those that every token needs.
	Scopes []string
}

// check returns the address of the resource.
func (s Settings) check() (*url.URL, error) {
	if err := checkAddress(s.Issuer); err != nil {
		return nil, fmt.Errorf("issuer %q: %w", s.Issuer, err)
	}
	resource, err := url.Parse(s.Resource)
	if err != nil || !webaddress.IsResource(s.Resource) {
		return nil, fmt.Errorf("resource %q: want the URL that hosts call, for example https://mcp.example.com/mcp", s.Resource)
	}
	for _, scope := range s.Scopes {
		if !webaddress.IsScope(scope) {
			return nil, fmt.Errorf("scope %q: want characters of ASCII without spaces, quotes and backslashes", scope)
		}
	}
	return resource, nil
}

var errNoAddress = errors.New("want an https URL without a query, or http for this machine")

// checkAddress refuses addresses that keys must not come from.
func checkAddress(text string) error {
	if !webaddress.IsIssuer(text) {
		return errNoAddress
	}
	return nil
}
