package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/system/safefile"
)

// grantAgain gets a new token without the user after one was refused, and reports whether to make
// the request again.
func (a *Authorizer) grantAgain(ctx context.Context, challenge logins.Challenge, refused string, isScope bool, attempt int) (bool, error) {
	if attempt >= maxAttempts || attempt > 0 && !isScope {
		return false, errors.New("the server does not accept the token that its authorization server gave for the configured grant")
	}
	err := a.client.Store.Update(ctx, a.key, func(record *logins.Record) error {
		if known := a.own(*record); known.AccessToken != refused && isAlive(known) {
			return nil // another process already did
		}
		if isScope && isTriedOut(*record, challenge.Scopes) {
			return fmt.Errorf("the server wants the scopes %q, and its authorization server does not give them", shown(strings.Join(challenge.Scopes, " ")))
		}
		return a.client.grant(ctx, a.server, challenge, record)
	})
	return err == nil, err
}

// grant gets a token without the user and stores it in the record.
func (c *Client) grant(ctx context.Context, server Server, challenge logins.Challenge, record *logins.Record) error {
	found, err := c.discover(ctx, server, challenge)
	if err != nil {
		return err
	}
	settings := server.Settings
	found.resource = settings.resourceAt(found, *record)
	scopes := wantedScopes(settings, found, challenge, *record)
	source := found.source(authMethod(found.server.AuthMethods, settings.ClientSecret != ""), settings.ClientID, settings.ClientSecret)
	tokens, err := c.grantTokens(ctx, settings, found, source, scopes)
	if source.Resource != "" && refusesResource(err) {
		source.Resource, record.RefusesResource = "", source.Issuer
		tokens, err = c.grantTokens(ctx, settings, found, source, scopes)
	}
	if err != nil {
		return fmt.Errorf("get a token from the authorization server at %s: %w", originOf(source.TokenEndpoint), err)
	}
	if challenge.Error == insufficientScope {
		record.StepUps = append(recentStepUps(*record), logins.StepUp{Scopes: challenge.Scopes, Time: time.Now().UTC()})
	}
	record.TokenSource = source
	record.Requested, record.Granted = scopes, scopes
	record.Registrations = withRegistration(record.Registrations, source.Issuer, logins.Registration{ClientID: source.ClientID})
	// A configured secret is not stored, and a grant without a user needs no refresh token.
	record.ClientSecret, record.RefreshToken, record.Challenge = "", "", nil
	tokens.RefreshToken = ""
	record.Accept(tokens)
	return nil
}

// grantTokens gets tokens by the configured grant: for the client itself (RFC 6749 section 4.4), which authenticates
// with its secret or, with a key, by an assertion (RFC 7523 section 2.2); or for the assertion in a file (section 2.1).
func (c *Client) grantTokens(ctx context.Context, settings Settings, found *discovered, source logins.TokenSource, scopes []string) (logins.Tokens, error) {
	form := url.Values{}
	if source.Resource != "" {
		form.Set("resource", source.Resource)
	}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	switch {
	case settings.Grant == grantJWTBearer:
		assertion, err := readAssertion(settings.AssertionFile)
		if err != nil {
			return logins.Tokens{}, err
		}
		c.hide(assertion)
		form.Set("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
		form.Set("assertion", assertion)
		return c.requestTokens(ctx, found.client, source, form)
	case settings.PrivateKey != "":
		assertion, err := signAssertion(settings.PrivateKey, source.ClientID, source.Issuer, found.server.SigningAlgorithms)
		if err != nil {
			return logins.Tokens{}, err
		}
		c.hide(assertion)
		source.AuthMethod = authPrivateKey
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", assertion)
	}
	form.Set("grant_type", "client_credentials")
	return c.requestTokens(ctx, found.client, source, form)
}

// maxAssertion is the maximum size of the file with an assertion, in bytes.
const maxAssertion = 64 << 10

// readAssertion reads the file with an assertion. Its writer replaces it before the assertion expires.
func readAssertion(file string) (string, error) {
	text, err := readSmallFile(file, maxAssertion)
	if err != nil {
		return "", fmt.Errorf(`read the file that "oauth.assertionFile" names: %w`, err)
	}
	assertion := strings.TrimSpace(text)
	if assertion == "" {
		return "", errors.New(`the file that "oauth.assertionFile" names is empty`)
	}
	return assertion, nil
}

// readSmallFile reads a file of at most limit bytes. Its errors do not contain the path, which may
// come from a variable.
func readSmallFile(path string, limit int64) (string, error) {
	text, err := safefile.ReadUpTo(path, limit)
	return string(text), withoutPath(err)
}

func withoutPath(err error) error {
	if failure, ok := errors.AsType[*os.PathError](err); ok {
		return failure.Err
	}
	return err
}
