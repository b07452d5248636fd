package callers

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// wellKnown is where the metadata of a resource is (RFC 9728, section 3).
const wellKnown = "/.well-known/oauth-protected-resource"

// ResourceSettings decides which tokens are accepted. Callers must have checked it with
// [domain.IsIssuer] and the functions beside it.
type ResourceSettings struct {
	// Issuer is the authorization server, as its metadata and its tokens name it.
	Issuer string
	// Resource is the address of this workbench as hosts know it. Tokens must be for it.
	Resource string
	// Scopes are those that every token needs.
	Scopes []string
	// Introspection validates tokens that are not JWTs. If it is nil, they are refused.
	Introspection *Introspection
}

// Resource is the workbench as an OAuth 2.0 protected resource: it verifies access tokens that an authorization server
// issued for it, and says where to get one (RFC 9728, RFC 9068, and "Authorization" of the MCP specification). It issues
// no tokens and sends no token anywhere. Safe for concurrent use.
//
// Decision: go-jose parses and verifies tokens, and the keys are kept here. The key set of go-oidc
// asks the issuer for every token with an unknown key, never drops keys that the issuer withdrew,
// and finds issuers of OpenID Connect only.
//
// Decision: "resource" must be configured. It distinguishes tokens for other resources, and behind
// a proxy the workbench does not know the address that hosts call.
//
// Decision: a JWT is verified here, without asking the issuer. The issuer validates any other
// token (RFC 7662), only if that is configured, since it needs a secret of the workbench's own. A
// revoked token is accepted until the answer about it is [introspectionTime] old.
//
// Decision: a token is verified at the start of each request, and a call that is under way when it
// expires continues. A stream on which a host listens ends then, since it would never end
// otherwise: the host opens it again with the next token and gets the messages it missed.
type Resource struct {
	settings ResourceSettings
	address  *url.URL // of the resource
	keys     *keys
	// introspector is nil without introspection.
	introspector *introspector
}

var _ Verifier = (*Resource)(nil)

// NewResource returns the resource of these settings. The client reaches the issuer; it follows no
// redirect, and makes no request before the first token arrives.
//
// Failures: a resource that is not an address.
func NewResource(settings ResourceSettings, client *http.Client, log *slog.Logger) (*Resource, error) {
	address, err := url.Parse(settings.Resource)
	if err != nil {
		return nil, fmt.Errorf("resource %q: %w", settings.Resource, err)
	}
	asked := newIssuerClient(client)
	s := &Resource{settings: settings, address: address, keys: &keys{issuer: settings.Issuer, client: asked, log: log}}
	if settings.Introspection != nil {
		s.introspector = newIntrospector(settings, asked, s.checkClaims, log)
	}
	return s, nil
}

// Challenge implements Verifier.
func (s *Resource) Challenge() string {
	challenge := `resource_metadata="` + s.address.Scheme + "://" + s.address.Host + s.metadataPath() + `"`
	if len(s.settings.Scopes) > 0 {
		challenge += `, scope="` + strings.Join(s.settings.Scopes, " ") + `"`
	}
	return challenge
}

func (s *Resource) metadataPath() string {
	return wellKnown + strings.TrimSuffix(s.address.EscapedPath(), "/")
}

// MetadataPaths returns the paths for ServeMetadata: first the one that belongs to the
// resource's path, then the one at the root.
func (s *Resource) MetadataPaths() []string {
	return slices.Compact([]string{s.metadataPath(), wellKnown})
}

// ServeMetadata answers with the metadata of the resource, which needs no token.
func (s *Resource) ServeMetadata(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Allow", "GET, HEAD, OPTIONS")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
	case http.MethodOptions:
		header.Set("Access-Control-Allow-Headers", "MCP-Protocol-Version")
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, _ := json.Marshal(struct { // strings cannot fail
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported,omitempty"`
		Methods  []string `json:"bearer_methods_supported"`
		Name     string   `json:"resource_name"`
	}{s.settings.Resource, []string{s.settings.Issuer}, s.settings.Scopes, []string{"header"}, "MCP Workbench"})
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "max-age=300")
	_, _ = w.Write(append(body, '\n')) // a client that is gone needs no answer
}
