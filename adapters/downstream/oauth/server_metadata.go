package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// serverMetadata is the metadata of an authorization server (RFC 8414, OpenID Connect Discovery
// 1.0).
type serverMetadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	RegistrationEndpoint  string   `json:"registration_endpoint"`
	RevocationEndpoint    string   `json:"revocation_endpoint"`
	ScopesSupported       []string `json:"scopes_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	AuthMethods           []string `json:"token_endpoint_auth_methods_supported"`
	SigningAlgorithms     []string `json:"token_endpoint_auth_signing_alg_values_supported"`
	TakesClientMetadata   bool     `json:"client_id_metadata_document_supported"`
	SendsIssuer           bool     `json:"authorization_response_iss_parameter_supported"`

	// Tenants is the issuer in the document if that is one for all tenants, else "". Issuer is the one that was asked for then.
	Tenants string `json:"-"`
}

// findServerMetadata fetches the metadata of an authorization server from the well-known
// places of its issuer, in the order of the specification. That of a configured issuer with a path
// may also be at the root of its host, whose owner decides about all of these places.
func findServerMetadata(ctx context.Context, client *http.Client, issuer string, isConfigured bool) (*serverMetadata, error) {
	address, err := checkAddress(issuer)
	if err != nil {
		return nil, fmt.Errorf("the authorization server's address is %w", err)
	}
	if address.RawQuery != "" || address.Fragment != "" {
		return nil, fmt.Errorf("the address of the authorization server at %s has a query or a fragment", Origin(address))
	}
	places := wellKnownServer(address)
	if isConfigured {
		places = union(places, wellKnownServer(&url.URL{Scheme: address.Scheme, Host: address.Host}))
	}
	for _, place := range places {
		metadata, err := fetchServerMetadata(ctx, client, issuer, place)
		if metadata != nil || err != nil {
			return metadata, err
		}
	}
	return nil, fmt.Errorf("the authorization server at %s has no metadata", whole(issuer))
}

// wellKnownServer returns where the metadata of an issuer may be.
func wellKnownServer(issuer *url.URL) []string {
	const oauthPlace, openIDPlace = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	root := issuer.Scheme + "://" + issuer.Host
	path := strings.TrimSuffix(issuer.EscapedPath(), "/")
	if path == "" {
		return []string{root + oauthPlace, root + openIDPlace}
	}
	return []string{root + oauthPlace + path, root + openIDPlace + path, root + path + openIDPlace}
}

// fetchServerMetadata fetches one document, nil if there is none at that address.
func fetchServerMetadata(ctx context.Context, client *http.Client, issuer, address string) (*serverMetadata, error) {
	var metadata serverMetadata
	if isThere, err := fetchMetadata(ctx, client, address, "the authorization server", "RFC 8414", &metadata); !isThere {
		return nil, err
	}
	switch {
	case domain.SameIssuer(metadata.Issuer, issuer):
	case isOfTenant(issuer, metadata.Issuer):
		metadata.Issuer, metadata.Tenants = issuer, metadata.Issuer
	default:
		return nil, fmt.Errorf("the metadata of the authorization server at %s names the issuer %q, not %q, so it is not used; "+
			`if its provider says that it is right, write that issuer into "oauth.issuer" of the server in the configuration`,
			originOf(address), whole(metadata.Issuer), whole(issuer))
	}
	if err := metadata.check(); err != nil {
		return nil, fmt.Errorf("the metadata of the authorization server at %s: %w", originOf(issuer), err)
	}
	return &metadata, nil
}

// isOfTenant reports whether an issuer is one of the tenants that another one stands for. Microsoft Entra ID names
// https://HOST/{tenantid}/v2.0 in the metadata of "common", "organizations" and "consumers".
func isOfTenant(issuer, tenants string) bool {
	before, after, isForAll := strings.Cut(tenants, "{tenantid}")
	tenant, hasStart := strings.CutPrefix(issuer, before)
	tenant, hasEnd := strings.CutSuffix(tenant, after)
	return isForAll && hasStart && hasEnd && before == originOf(issuer)+"/" && tenant != "" && !strings.ContainsAny(tenant, "/?#")
}

// takesResource reports whether requests at the authorization server may have "resource" (RFC 8707).
//
// Decision: the endpoints of version 2.0 of Microsoft Entra ID, which have this path on every host, get none. There the
// scopes name the resource, and another one is refused on a page (AADSTS9010010, AADSTS901002) that no program sees.
func (m *serverMetadata) takesResource() bool {
	page, _, _ := strings.Cut(m.AuthorizationEndpoint, "?")
	return !strings.HasSuffix(page, "/oauth2/v2.0/authorize")
}

// check refuses endpoints that codes and tokens must not go to.
func (m *serverMetadata) check() error {
	if m.TokenEndpoint == "" {
		return errors.New("token_endpoint is missing")
	}
	for _, endpoint := range []struct{ name, address string }{
		{"authorization_endpoint", m.AuthorizationEndpoint},
		{"token_endpoint", m.TokenEndpoint},
		{"registration_endpoint", m.RegistrationEndpoint},
		{"revocation_endpoint", m.RevocationEndpoint},
	} {
		if endpoint.address == "" {
			continue
		}
		if _, err := checkAddress(endpoint.address); err != nil {
			return fmt.Errorf("%s is %w", endpoint.name, err)
		}
	}
	return nil
}

// reservedParameters are parameters of an authorization request that only the client may set, or
// that stand for others (RFC 6749, 7636, 8707, 9101; OAuth 2.0 Multiple Response Types).
var reservedParameters = []string{
	"client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
	"resource", "request", "request_uri",
}

// loginPage returns the authorization endpoint without reserved parameters in its query: a
// parameter may occur once (RFC 6749 section 3.1), and of two the server would choose.
func (m *serverMetadata) loginPage() string {
	page, _, _ := strings.Cut(m.AuthorizationEndpoint, "#")
	page, query, hasQuery := strings.Cut(page, "?")
	if !hasQuery {
		return page
	}
	kept := slices.DeleteFunc(strings.Split(query, "&"), func(parameter string) bool {
		name, _, _ := strings.Cut(parameter, "=")
		name, err := url.QueryUnescape(name)
		isReserved := slices.ContainsFunc(reservedParameters, func(reserved string) bool { return strings.EqualFold(name, reserved) })
		return err != nil || isReserved || strings.Contains(parameter, ";") // which some read as "&"
	})
	if len(kept) == 0 {
		return page
	}
	return page + "?" + strings.Join(kept, "&")
}

// checkForLogin refuses servers at which the user cannot log in safely. A server that announces PKCE without S256 is
// refused. The page must not be on this machine or in its
// network, unless that is allowed. It must be at the issuer, unless the issuer is configured or
// responses name their sender: otherwise a hostile server could lead to the page of an honest one
// and get the code issued there (RFC 9700 section 4.4).
//
// Decision: a server whose metadata does not speak of PKCE gets S256 all the same. Microsoft Entra ID and Amazon Cognito
// support it and do not announce it (modelcontextprotocol/typescript-sdk#992); one that ignores it is no less safe than it
// is for all its other clients, since the redirect leads to this machine and its state is checked.
func (m *serverMetadata) checkForLogin(ctx context.Context, allowsPrivate, isConfigured bool) error {
	page, err := url.Parse(m.AuthorizationEndpoint)
	if err != nil {
		return errors.New("authorization_endpoint is not an address that can be used")
	}
	switch {
	case m.AuthorizationEndpoint == "":
		return fmt.Errorf("the authorization server at %s has no page to log in (authorization_endpoint)", originOf(m.Issuer))
	case m.ChallengeMethods != nil && !slices.Contains(m.ChallengeMethods, "S256"):
		return fmt.Errorf("the authorization server at %s takes PKCE without S256 only (code_challenge_methods_supported), "+
			"so a login there could be stolen", originOf(m.Issuer))
	case !isConfigured && !m.SendsIssuer && Origin(page) != originOf(m.Issuer):
		return fmt.Errorf("the page to log in is at %s, not at the authorization server %s, which does not promise to say who answers "+
			"(authorization_response_iss_parameter_supported), so the login could be meant for another server; "+
			`if its provider says that both belong to it, write "issuer": "%s" into "oauth" of the server in the configuration`,
			Origin(page), originOf(m.Issuer), whole(m.Issuer))
	case !allowsPrivate && isPrivateHost(ctx, page.Hostname()):
		return fmt.Errorf("the page to log in at %s: %w", Origin(page), errPrivate)
	}
	return nil
}
