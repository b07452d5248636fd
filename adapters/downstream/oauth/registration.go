package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
)

// How a client authenticates at the token endpoint (RFC 7591 section 2).
const (
	authBasic      = "client_secret_basic"
	authPost       = "client_secret_post"
	authPrivateKey = "private_key_jwt"
	authNone       = "none"
)

// chooseRegistration returns the client for an authorization server, in the order of the
// specification (MCP 2026-07-28, client registration): the configured one, a client metadata
// document, a dynamically registered one. A new client is registered only if there is no known one with
// the redirect that listen returns.
func (c *Client) chooseRegistration(
	ctx context.Context, server Server, found *discovered, record logins.Record, scopes []string, listen Listen,
) (registration logins.Registration, isNew bool, err error) {
	known := record.Registrations
	settings, metadata := server.Settings, found.server
	wanted := Redirect{URI: settings.redirect()}
	wanted.Fixed = wanted.URI != ""
	switch {
	case settings.ClientID != "":
		if err := checkIssuer(settings, known, metadata.Issuer); err != nil {
			return registration, false, err
		}
		isNew = true
		registration = logins.Registration{
			ClientID: settings.ClientID, ClientSecret: settings.ClientSecret,
			AuthMethod: authMethod(metadata.AuthMethods, settings.ClientSecret != ""),
		}
	case settings.ClientMetadataURL != "" && metadata.TakesClientMetadata:
		registration = logins.Registration{ClientID: settings.ClientMetadataURL, AuthMethod: authNone}
	case metadata.RegistrationEndpoint != "":
		return c.registeredClient(ctx, found, usable(record, metadata.Issuer, scopes), wanted, scopes, listen)
	case metadata.TakesClientMetadata:
		return registration, false, fmt.Errorf("the authorization server at %s wants the document of a client: write the address of one that you publish "+
			`into "oauth.clientMetadataUrl" in the configuration, or the id of a client that you registered there into "oauth.clientId"`, originOf(metadata.Issuer))
	default:
		return registration, false, fmt.Errorf("the authorization server at %s does not register clients dynamically: register one there, "+
			`and write its id into "oauth.clientId" in the configuration`, originOf(metadata.Issuer))
	}
	registration.RedirectURI, err = listen(wanted)
	return registration, isNew, err
}

// checkIssuer refuses an authorization server other than the one at which a configured client was
// used before. The client belongs to that one, and its secret must not go to any other server that
// the metadata names later (MCP 2026-07-28, SEP-2352).
func checkIssuer(settings Settings, known map[string]logins.Registration, issuer string) error {
	for used, registration := range known {
		if !domain.SameIssuer(used, issuer) && registration.ClientID == settings.ClientID && settings.Issuer == "" {
			return fmt.Errorf(`the server now accepts logins at %s, and the configured client was used at %s before; if that is right, `+
				`write the new address into "oauth.issuer" in the configuration`, whole(issuer), whole(used))
		}
	}
	return nil
}

// redirect returns the redirect that the configuration names, "" for none.
func (s Settings) redirect() string {
	if s.RedirectURI == "" && s.CallbackPort != 0 {
		return fmt.Sprintf("http://127.0.0.1:%d/callback", s.CallbackPort)
	}
	return s.RedirectURI
}

// registeredClient returns a dynamically registered client: the known one, unless that is empty. The redirect is part of a
// registration, so the known one is used again if its port is free.
func (c *Client) registeredClient(
	ctx context.Context, found *discovered, known logins.Registration, wanted Redirect, scopes []string, listen Listen,
) (registration logins.Registration, isNew bool, err error) {
	if wanted.URI == "" {
		wanted.URI = known.RedirectURI
	}
	redirect, err := listen(wanted)
	if err != nil {
		return registration, false, err
	}
	if known.ClientID != "" && known.RedirectURI == redirect {
		return known, false, nil
	}
	registration, err = c.register(ctx, found, redirect, scopes)
	if refusal, ok := errors.AsType[*ServerError](err); ok && len(scopes) > 0 && slices.Contains(refusalsOfScopes, refusal.Code) {
		registration, err = c.register(ctx, found, redirect, nil)
	}
	return registration, err == nil, err
}

// refusalsOfScopes are the codes with which servers refuse a registration that names scopes (RFC 7591 section 3.2.2).
var refusalsOfScopes = []string{"invalid_client_metadata", "invalid_scope", "invalid_request"}

// usable returns the registration at an issuer if it can be used for a login with the scopes, an empty one otherwise.
//
// Decision: the client of a login that has ended is registered again, since an authorization server that has forgotten a
// client says only that the refresh token is wrong, and its page for the forgotten client leads nowhere.
func usable(record logins.Record, issuer string, scopes []string) logins.Registration {
	known := record.Registrations[issuer]
	isExpired := !known.SecretExpiry.IsZero() && !time.Now().Before(known.SecretExpiry)
	hasEnded := record.Ended != "" && record.Issuer == issuer && record.ClientID == known.ClientID
	lacksScope := known.Scopes != nil && len(union(known.Scopes, scopes)) > len(known.Scopes)
	if isExpired || hasEnded || lacksScope {
		return logins.Registration{}
	}
	return known
}

// notRegistered is the failure of a registration, with what helps.
func notRegistered(where string, cause error) error {
	return fmt.Errorf(`the authorization server at %s does not register a client: %w; one that you register there yourself can be named by "oauth.clientId" in the configuration`,
		where, cause)
}

// register registers a client (RFC 7591, MCP 2026-07-28 "Dynamic Client Registration") that asks for the scopes.
func (c *Client) register(ctx context.Context, found *discovered, redirect string, scopes []string) (logins.Registration, error) {
	where := originOf(found.server.RegistrationEndpoint)
	client := map[string]any{
		"client_name": c.name, "redirect_uris": []string{redirect}, "application_type": applicationType(redirect),
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
		"token_endpoint_auth_method": authMethod(found.server.AuthMethods, false),
	}
	if len(scopes) > 0 {
		client["scope"] = strings.Join(scopes, " ")
	}
	body, err := json.Marshal(client)
	if err != nil {
		return logins.Registration{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, found.server.RegistrationEndpoint, bytes.NewReader(body))
	if err != nil {
		return logins.Registration{}, errors.New("the registration endpoint's address cannot be used")
	}
	request.Header.Set("Content-Type", "application/json")
	got, err := send(found.client, request)
	if err != nil {
		return logins.Registration{}, fmt.Errorf("register a client: %w", err)
	}
	var registered struct {
		ClientID     string  `json:"client_id"`
		ClientSecret string  `json:"client_secret"`
		Expiry       float64 `json:"client_secret_expires_at"`
		AuthMethod   string  `json:"token_endpoint_auth_method"`
	}
	if !got.isObject() {
		return logins.Registration{}, notRegistered(where, c.failure(got))
	}
	if err := json.Unmarshal(got.body, &registered); err != nil || registered.ClientID == "" {
		return logins.Registration{}, notRegistered(where, c.failure(got))
	}
	registration := logins.Registration{
		ClientID: registered.ClientID, ClientSecret: registered.ClientSecret, RedirectURI: redirect, AuthMethod: registered.AuthMethod,
		Scopes: scopes,
	}
	if registered.Expiry > 0 && registered.ClientSecret != "" {
		registration.SecretExpiry = time.Unix(int64(registered.Expiry), 0).UTC()
	}
	if registration.AuthMethod == "" {
		registration.AuthMethod = authMethod(found.server.AuthMethods, registered.ClientSecret != "")
	}
	return registration, nil
}

// applicationType returns the kind of client with a redirect (OpenID Connect Registration 1.0
// section 2).
func applicationType(redirect string) string {
	if address, err := url.Parse(redirect); err == nil && address.Scheme == "https" {
		return "web"
	}
	return "native"
}

// authMethod chooses among the methods that an authorization server offers; the default is
// client_secret_basic (RFC 8414 section 2).
func authMethod(offered []string, hasSecret bool) string {
	preferred := []string{authNone, authBasic, authPost}
	if hasSecret {
		preferred = []string{authBasic, authPost, authNone}
	}
	for _, method := range preferred {
		if slices.Contains(offered, method) {
			return method
		}
	}
	if hasSecret {
		return authBasic
	}
	return authNone
}
