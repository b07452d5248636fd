package resource

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Settings say whose tokens let in.
type Settings struct {
	// Issuer is the authorization server, as its metadata and its tokens name it.
	Issuer string
	// Resource is the address of this workbench as hosts know it, which tokens have to be for.
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
	if err != nil || resource.Host == "" || resource.Scheme != "http" && resource.Scheme != "https" || resource.User != nil ||
		strings.Contains(s.Resource, "#") {
		return nil, fmt.Errorf("resource %q: want the URL that hosts call, for example https://mcp.example.com/mcp", s.Resource)
	}
	for _, scope := range s.Scopes {
		if !isScope(scope) {
			return nil, fmt.Errorf("scope %q: want characters of ASCII without spaces, quotes and backslashes", scope)
		}
	}
	return resource, nil
}

var errNoAddress = errors.New("want an https URL without a query, or http for this machine")

// checkAddress refuses addresses that keys must not come from.
func checkAddress(text string) error {
	address, err := url.Parse(text)
	switch {
	case err != nil, address.Host == "", address.User != nil, strings.ContainsAny(text, "?#"):
		return errNoAddress
	case address.Scheme == "https", address.Scheme == "http" && isLoopback(address.Hostname()):
		return nil
	}
	return errNoAddress
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// isScope reports whether text is a scope (RFC 6749, section 3.3).
func isScope(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return text != ""
}
