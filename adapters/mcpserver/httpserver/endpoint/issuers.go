package endpoint

import (
	"crypto/tls"
	"net/http"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/adapters/mcpserver/httpserver/resource"
)

// resourceSettings returns which access tokens are accepted.
func resourceSettings(auth *config.Auth) resource.Settings {
	settings := resource.Settings{Issuer: auth.Issuer, Resource: auth.Resource, Scopes: auth.Scopes}
	if asked := auth.Introspection; asked != nil {
		settings.Introspection = &resource.Introspection{Endpoint: asked.Endpoint, ClientID: asked.ClientID, ClientSecret: asked.ClientSecret}
	}
	return settings
}

// newIssuerClient returns a client for issuers of access tokens.
func newIssuerClient() (*http.Client, error) {
	roots, err := certificates.Roots()
	if err != nil {
		return nil, err
	}
	return &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true,
	}}, nil
}
