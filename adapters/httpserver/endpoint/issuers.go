package endpoint

import (
	"crypto/tls"
	"net/http"

	"mcp-workbench/adapters/downstream/web/authorities"
)

// newIssuerClient returns a client for issuers of access tokens.
func newIssuerClient() (*http.Client, error) {
	roots, err := authorities.Roots()
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true,
	}}, nil
}
