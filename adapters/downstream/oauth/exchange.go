package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// exchange exchanges a code for tokens.
func (c *Client) exchange(ctx context.Context, server Server, pending logins.Pending, code string) (logins.Tokens, error) {
	client, _, err := c.httpClient(ctx, server)
	if err != nil {
		return logins.Tokens{}, err
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {pending.Verifier}, "redirect_uri": {pending.RedirectURI}}
	if pending.Resource != "" {
		form.Set("resource", pending.Resource)
	}
	tokens, err := c.requestTokens(ctx, client, pending.TokenSource, form)
	if err != nil {
		return logins.Tokens{}, fmt.Errorf("get tokens from the authorization server at %s: %w", originOf(pending.TokenEndpoint), err)
	}
	return tokens, nil
}

// requestTokens gets tokens for a form.
func (c *Client) requestTokens(ctx context.Context, client *http.Client, source logins.TokenSource, form url.Values) (logins.Tokens, error) {
	got, err := c.post(ctx, client, source.TokenEndpoint, source, form)
	if err != nil {
		return logins.Tokens{}, err
	}
	return c.tokens(got)
}

// post sends a form to an endpoint of an authorization server, authenticated as the client of a
// source.
func (c *Client) post(ctx context.Context, client *http.Client, endpoint string, source logins.TokenSource, form url.Values) (answer, error) {
	c.hideClient(source.ClientID, source.ClientSecret)
	hasClient := source.ClientID != "" // a request with an assertion may have none (RFC 7523 section 3.1)
	// A client without a secret only names itself, whatever the metadata offers (RFC 6749 section 3.2.1).
	isBasic := hasClient && source.AuthMethod == authBasic && source.ClientSecret != ""
	if hasClient && !isBasic {
		form.Set("client_id", source.ClientID)
		if source.ClientSecret != "" {
			form.Set("client_secret", source.ClientSecret)
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, errors.New("the authorization server's address cannot be used")
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if isBasic {
		// Each half is encoded as in a form first (RFC 6749 section 2.3.1).
		request.SetBasicAuth(url.QueryEscape(source.ClientID), url.QueryEscape(source.ClientSecret))
	}
	return send(client, request)
}
