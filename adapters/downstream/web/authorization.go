package web

import (
	"context"
	"errors"
	"net/http"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/domain"
)

// authorizerOf returns the authorizer of a server, nil for a server without logins: they are turned
// off, or its headers have an Authorization.
func authorizerOf(server domain.Server, client *oauth.Client) (*oauth.Authorizer, error) {
	if client == nil {
		return nil, nil
	}
	remote, err := oauth.ServerOf(server)
	switch {
	case errors.Is(err, oauth.ErrNoAddress), errors.Is(err, oauth.ErrOff), errors.Is(err, oauth.ErrHasAuthorization):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return client.Authorizer(remote), nil
}

// authorized makes a request with the token of the server's login, if there is one. A request that
// is refused for a missing token or scope was not carried out, so it is repeated when there is a
// better token.
func (e *Endpoint) authorized(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
	for attempt := 0; ; attempt++ {
		token, err := e.authorizer.Token(ctx)
		if err != nil {
			return nil, err
		}
		sent := header
		if token != "" {
			sent = header.Clone()
			sent.Set("Authorization", "Bearer "+token)
		}
		response, err := e.send(ctx, method, sent, body)
		if err != nil || response.StatusCode != http.StatusUnauthorized && response.StatusCode != http.StatusForbidden {
			return response, err
		}
		again, err := e.authorizer.Refused(ctx, response, token, attempt)
		if !again && err == nil {
			return response, nil
		}
		_ = response.Body.Close() // the head is enough, and the rest may never end
		if err != nil {
			return nil, err
		}
	}
}
