package oauth

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/netip"
	"net/url"
)

// IsPrivate reports whether an address is in a private network.
var IsPrivate = isPrivate

// IsPrivateName reports whether a host says by itself that it is in a private network.
var IsPrivateName = isPrivateName

// CheckAddress refuses addresses that secrets must not go to.
var CheckAddress = checkAddress

// IsPrivateServer reports whether the server at an address is in a private network, if its
// name is looked up like that.
func IsPrivateServer(ctx context.Context, server *url.URL, config *tls.Config, found ...netip.Addr) bool {
	return isPrivateServer(ctx, server, config, func(context.Context, string, string) ([]netip.Addr, error) { return found, nil })
}

// NewCertifiedClient returns the client for a server that wants the certificate of the settings.
func NewCertifiedClient(server Server, own *tls.Config) *http.Client {
	return &http.Client{Transport: newCertifiedTransport(server, own, true)}
}

// NewGuardedClient returns the client for metadata.
func NewGuardedClient(allowsPrivate bool) *http.Client { return newHTTPClient(nil, allowsPrivate) }

// Size returns the bytes of all secrets.
func (s *Secrets) Size() int { return s.size }
