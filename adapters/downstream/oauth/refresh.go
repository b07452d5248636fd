package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
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
// else. The secret of a configured client is taken from the current configuration.
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
		if len(login.Granted) > 0 {
			form.Set("scope", strings.Join(login.Granted, " "))
		}
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
