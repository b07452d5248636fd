package resource

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mcp-workbench/adapters/mcpserver/httpserver/tokens"
)

// wellKnown is where the metadata of a resource is (RFC 9728, section 3).
const wellKnown = "/.well-known/oauth-protected-resource"

// Settings decides which tokens are accepted. Callers must have checked it with package
// webaddress.
type Settings struct {
	// Issuer is the authorization server, as its metadata and its tokens name it.
	Issuer string
	// Resource is the address of this workbench as hosts know it. Tokens must be for it.
	Resource string
	// Scopes are those that every token needs.
	Scopes []string
	// Introspection validates tokens that are not JWTs. If it is nil, they are refused.
	Introspection *Introspection
}

// Server is the resource. Safe for concurrent use.
type Server struct {
	settings Settings
	address  *url.URL // of the resource
	keys     *keys
	// introspector is nil without introspection.
	introspector *introspector
}

var _ tokens.Verifier = (*Server)(nil)

// New returns the resource of these settings. The client reaches the issuer; it follows no
// redirect, and makes no request before the first token arrives.
//
// Failures: a resource that is not an address.
func New(settings Settings, client *http.Client, log *slog.Logger) (*Server, error) {
	address, err := url.Parse(settings.Resource)
	if err != nil {
		return nil, fmt.Errorf("resource %q: %w", settings.Resource, err)
	}
	s := &Server{settings: settings, address: address, keys: newKeys(settings.Issuer, client, log)}
	if settings.Introspection != nil {
		s.introspector = newIntrospector(settings, client, s.checkClaims, log)
	}
	return s, nil
}

// Challenge implements tokens.Verifier.
func (s *Server) Challenge() string {
	challenge := `resource_metadata="` + s.address.Scheme + "://" + s.address.Host + s.metadataPath() + `"`
	if len(s.settings.Scopes) > 0 {
		challenge += `, scope="` + strings.Join(s.settings.Scopes, " ") + `"`
	}
	return challenge
}

func (s *Server) metadataPath() string {
	return wellKnown + strings.TrimSuffix(s.address.EscapedPath(), "/")
}

// MetadataPaths returns the paths for ServeMetadata: first the one that belongs to the
// resource's path, then the one at the root.
func (s *Server) MetadataPaths() []string {
	return slices.Compact([]string{s.metadataPath(), wellKnown})
}

// ServeMetadata answers with the metadata of the resource, which needs no token.
func (s *Server) ServeMetadata(w http.ResponseWriter, r *http.Request) {
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
