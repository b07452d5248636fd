package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// Error codes of token endpoints (RFC 6749 section 5.2).
const (
	invalidGrant       = "invalid_grant"
	invalidClient      = "invalid_client"
	unauthorizedClient = "unauthorized_client"
)

// sendRefresh returns a function for logins.Store.Refresh that sends a login's refresh token. It
// sends resource and scope again, since without them some servers return a token for something
// else, or none. A request that is refused for one of them was not carried out, and is sent once more without it.
// The secret of a configured client is taken from the current configuration.
func (c *Client) sendRefresh(server Server) func(context.Context, logins.Record) (logins.Tokens, error) {
	return func(ctx context.Context, login logins.Record) (logins.Tokens, error) {
		if secret := server.Settings.ClientSecret; secret != "" && login.ClientID == server.Settings.ClientID {
			login.ClientSecret = secret
		}
		client, _, err := c.httpClient(ctx, server)
		if err != nil {
			return logins.Tokens{}, err
		}
		form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {login.RefreshToken}}
		if login.Resource != "" {
			form.Set("resource", login.Resource)
		}
		if scopes := refreshedScopes(login); len(scopes) > 0 {
			form.Set("scope", strings.Join(scopes, " "))
		}
		tokens, err := c.postRefresh(ctx, client, login, form)
		for _, parameter := range []struct {
			name      string
			isRefused func(error) bool
		}{{"resource", refusesResource}, {"scope", refusesScope}} {
			if form.Has(parameter.name) && parameter.isRefused(err) {
				form.Del(parameter.name)
				tokens, err = c.postRefresh(ctx, client, login, form)
			}
		}
		tokens.RefusesResource = login.Resource != "" && !form.Has("resource")
		return tokens, err
	}
}

// refreshedScopes returns the scopes to refresh a login with: those that were granted. Where the authorization server
// calls them by other names, as Microsoft Entra ID does with ".default", they are those that were asked for.
// It does not say either that it granted offline_access, and without it the next refresh token is missing.
func refreshedScopes(login logins.Record) []string {
	switch granted := union(login.Granted, nil); {
	case len(login.Requested) == 0:
		return granted
	case len(union(login.Requested, granted)) > len(union(login.Requested, nil)):
		return login.Requested
	case len(granted) > 0 && slices.Contains(login.Requested, offlineAccess):
		return union(granted, []string{offlineAccess})
	default:
		return granted
	}
}

// refusesScope reports whether an authorization server refuses the scopes of a request.
func refusesScope(err error) bool {
	refusal, ok := errors.AsType[*ServerError](err)
	return ok && refusal.Code == "invalid_scope"
}

// postRefresh sends one request with a refresh token.
func (c *Client) postRefresh(ctx context.Context, client *http.Client, login logins.Record, form url.Values) (logins.Tokens, error) {
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	got, err := c.post(ctx, client, login.TokenEndpoint, login.TokenSource, form)
	if err != nil && connected.Load() {
		return logins.Tokens{}, fmt.Errorf("%w: %w", logins.ErrUnanswered, err)
	}
	if err != nil {
		return logins.Tokens{}, err
	}
	return c.refreshed(got)
}

// refreshed reads the answer to a refresh.
func (c *Client) refreshed(got answer) (logins.Tokens, error) {
	tokens, err := c.tokens(got)
	refusal, _ := errors.AsType[*ServerError](err)
	switch {
	case err == nil:
		return tokens, nil
	case refusal != nil && refusal.Code == invalidGrant:
		return logins.Tokens{}, fmt.Errorf("%w: %w", logins.ErrRefused, err)
	case isGatewayFailure(got.status):
		// A gateway may have lost the answer of the server.
		return logins.Tokens{}, fmt.Errorf("%w: %w", logins.ErrUnanswered, err)
	}
	return logins.Tokens{}, err
}

func isGatewayFailure(status int) bool {
	return status == http.StatusInternalServerError || status == http.StatusBadGateway || status == http.StatusGatewayTimeout
}

// dropRegistration forgets a dynamically registered client if err says that the authorization
// server does not know it, so that the next login registers another one.
func (c *Client) dropRegistration(ctx context.Context, key logins.Key, issuer, clientID string, err error) {
	refusal, ok := errors.AsType[*ServerError](err)
	if !ok || refusal.Code != invalidClient && refusal.Code != unauthorizedClient {
		return
	}
	failure := c.Store.Update(ctx, key, func(record *logins.Record) error {
		registrations := map[string]logins.Registration{}
		for other, known := range record.Registrations {
			if other != issuer || known.ClientID != clientID {
				registrations[other] = known
			}
		}
		record.Registrations = registrations
		return nil
	})
	if failure != nil {
		c.log.Debug("could not forget a refused registration", "issuer", issuer, "error", failure)
	}
}
