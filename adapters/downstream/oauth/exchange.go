package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// exchange exchanges a code for tokens.
func (c *Client) exchange(ctx context.Context, server Server, pending logins.Pending, code string) (logins.Tokens, error) {
	client, _, err := c.httpClient(ctx, server)
	if err != nil {
		return logins.Tokens{}, err
	}
	c.hideClient(pending.ClientID, pending.ClientSecret)
	ctx = context.WithValue(ctx, oauth2.HTTPClient, client)
	token, err := configOf(pending).Exchange(ctx, code, oauth2.VerifierOption(pending.Verifier), resourceOption(pending.Resource))
	tokens, err := c.tokensOf(token, err)
	if err != nil {
		return logins.Tokens{}, fmt.Errorf("get tokens from the authorization server at %s: %w", originOf(pending.TokenEndpoint), err)
	}
	return tokens, nil
}

// tokensOf converts the tokens and errors of x/oauth2. Those errors contain bodies and addresses;
// the errors of tokensOf can be shown.
func (c *Client) tokensOf(token *oauth2.Token, err error) (logins.Tokens, error) {
	if refusal, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		if refusal.ErrorCode != "" {
			return logins.Tokens{}, c.serverError(refusal.ErrorCode, refusal.ErrorDescription)
		}
		return logins.Tokens{}, errors.New("it answered with " + answer{status: refusal.Response.StatusCode}.words())
	}
	if failure, ok := errors.AsType[*url.Error](err); ok {
		return logins.Tokens{}, noAnswer(originOf(failure.URL), failure.Err)
	}
	if err != nil {
		return logins.Tokens{}, errors.New("its answer has no tokens")
	}
	tokens := logins.Tokens{AccessToken: token.AccessToken, RefreshToken: token.RefreshToken}
	if token.Expiry.After(time.Now()) { // else the server gave no usable expiry
		tokens.Expiry = token.Expiry.UTC()
	}
	if scope, ok := token.Extra("scope").(string); ok {
		tokens.Granted = scopesOf(scope)
	}
	c.hide(tokens.AccessToken)
	c.hide(tokens.RefreshToken)
	return tokens, checkTokens(tokens, token.TokenType)
}

// post sends a form to an endpoint of an authorization server, authenticated as the client of a
// login.
func (c *Client) post(ctx context.Context, client *http.Client, endpoint string, login logins.Record, form url.Values) (answer, error) {
	c.hideClient(login.ClientID, login.ClientSecret)
	hasClient := login.ClientID != "" // a request with an assertion may have none (RFC 7523 section 3.1)
	isBasic := hasClient && login.AuthMethod == authBasic
	if hasClient && !isBasic {
		form.Set("client_id", login.ClientID)
		if login.AuthMethod == authPost && login.ClientSecret != "" {
			form.Set("client_secret", login.ClientSecret)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, errors.New("the authorization server's address cannot be used")
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if isBasic {
		// Each half is encoded as in a form first (RFC 6749 section 2.3.1).
		request.SetBasicAuth(url.QueryEscape(login.ClientID), url.QueryEscape(login.ClientSecret))
	}
	return send(client, request)
}
