package oauth

import "net/http"

// NewGuardedClient returns the client for metadata.
func NewGuardedClient(allowsPrivate bool) *http.Client { return newHTTPClient(nil, allowsPrivate) }
