package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// ErrNoRevocation says that an authorization server cannot revoke tokens.
var ErrNoRevocation = errors.New("the authorization server cannot revoke tokens, so they are valid until they expire")

// Revoke revokes the tokens of a login to a server at its authorization server (RFC 7009): the refresh token
// first, since most servers end the whole login with it. The record is not changed.
//
// Failures: ErrNoRevocation; otherwise a line for people.
func (c *Client) Revoke(ctx context.Context, server Server, login logins.Record) error {
	switch {
	case login.AccessToken == "" && login.RefreshToken == "":
		return nil
	case login.RevocationEndpoint == "":
		return ErrNoRevocation
	}
	client, _, err := c.httpClient(ctx, server)
	if err != nil {
		return err
	}
	for _, token := range []struct{ hint, value string }{{"refresh_token", login.RefreshToken}, {"access_token", login.AccessToken}} {
		if token.value == "" {
			continue
		}
		got, err := c.post(ctx, client, login.RevocationEndpoint, login.TokenSource, url.Values{"token": {token.value}, "token_type_hint": {token.hint}})
		if err == nil && got.status/100 != 2 {
			err = c.failure(got)
		}
		if refusal, ok := errors.AsType[*ServerError](err); ok && refusal.Code == "unsupported_token_type" {
			continue // tokens of that kind expire
		}
		if err != nil {
			return fmt.Errorf("revoke the login at the authorization server at %s: %w", originOf(login.RevocationEndpoint), err)
		}
	}
	return nil
}
