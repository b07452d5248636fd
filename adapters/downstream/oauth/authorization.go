package oauth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
)

// Redirect is the address to which the authorization server sends the browser back.
type Redirect struct {
	// URI is the address, "" for any port of 127.0.0.1 and the path "/callback".
	URI string
	// Fixed says that the configuration names the address, so no other can be used. Otherwise
	// it is the registered one, and another address needs another registration.
	Fixed bool
}

// Listen listens for the redirect of a login and returns its address. Begin calls it before it
// registers or shows the address, and returns its errors.
type Listen func(Redirect) (redirectURI string, err error)

// Begin begins a login of the user: it finds the authorization server by the server's last
// challenge, registers a client if need be, and returns the request to open in a browser. The
// request is stored with the login and replaces an earlier one. Scopes are requested in addition
// to those that the server needs.
//
// Errors are lines for people and models, without secrets. Errors of listen are returned
// unchanged.
func (c *Client) Begin(ctx context.Context, server Server, scopes []string, listen Listen) (logins.Pending, error) {
	if server.Settings.Unattended() {
		return logins.Pending{}, fmt.Errorf(`logins at the server need no user ("oauth.grant" is %q)`, server.Settings.Grant)
	}
	key := server.Key()
	record, err := c.Store.Read(key)
	if err != nil {
		return logins.Pending{}, err
	}
	challenge := challengeOf(record)
	found, err := c.discover(ctx, server, challenge)
	if err != nil {
		return logins.Pending{}, err
	}
	if err := found.server.checkForLogin(ctx, found.allowsPrivate, server.Settings.Issuer != ""); err != nil {
		return logins.Pending{}, err
	}
	found.resource = server.Settings.resourceAt(found, record)
	scopes = union(wantedScopes(server.Settings, found, challenge, record), scopes)
	registration, isNew, err := c.chooseRegistration(ctx, server, found, record, scopes, listen)
	if err != nil {
		return logins.Pending{}, err
	}
	c.hideClient(registration.ClientID, registration.ClientSecret)
	pending := c.newPending(found, registration, scopes)
	err = c.Store.Update(ctx, key, func(record *logins.Record) error {
		if isNew {
			kept := registration
			if server.Settings.ClientID != "" {
				kept.ClientSecret = "" // the configuration has it
			}
			record.Registrations = withRegistration(record.Registrations, found.server.Issuer, kept)
		}
		record.Pending = &pending
		return nil
	})
	return pending, err
}

// resourceAt returns the "resource" of requests at the authorization server that was found, "" for requests without it.
func (s Settings) resourceAt(found *discovered, record logins.Record) string {
	switch {
	case s.Resource.Text != "":
		return s.Resource.Text
	case s.Resource.Off || !found.server.takesResource() || domain.SameIssuer(record.RefusesResource, found.server.Issuer):
		return ""
	}
	return found.resource
}

// challengeOf returns the challenge that no login has answered yet.
func challengeOf(record logins.Record) logins.Challenge {
	if record.Challenge == nil {
		return logins.Challenge{}
	}
	return *record.Challenge
}

func withRegistration(before map[string]logins.Registration, issuer string, registration logins.Registration) map[string]logins.Registration {
	registrations := map[string]logins.Registration{}
	maps.Copy(registrations, before)
	registrations[issuer] = registration
	return registrations
}

// offlineAccess is the scope that brings a refresh token (OpenID Connect Core 1.0 section 11).
const offlineAccess = "offline_access"

// wantedScopes returns the scopes to request: those of the challenge, else those of the
// resource's metadata, else none. Configured scopes replace those of the metadata. A challenge
// for insufficient scope adds to the scopes requested before, so that a login for one tool does
// not end that for another. Where offline_access is supported it is requested too, since it
// brings the refresh token there.
func wantedScopes(settings Settings, found *discovered, challenge logins.Challenge, record logins.Record) []string {
	var scopes []string
	switch {
	case settings.Scopes != nil:
		scopes = union(settings.Scopes, challenge.Scopes)
	case challenge.Scopes != nil:
		scopes = challenge.Scopes
	default:
		scopes = found.scopes
	}
	if challenge.Error == insufficientScope && domain.SameIssuer(record.Issuer, found.server.Issuer) {
		scopes = union(record.Requested, scopes)
	}
	if len(scopes) > 0 && slices.Contains(found.server.ScopesSupported, offlineAccess) {
		scopes = union(scopes, []string{offlineAccess})
	}
	return scopes
}

// newPending returns a request with a random state and verifier.
func (c *Client) newPending(found *discovered, registration logins.Registration, scopes []string) logins.Pending {
	pending := logins.Pending{
		State: rand.Text(), Verifier: oauth2.GenerateVerifier(), RedirectURI: registration.RedirectURI, Scopes: scopes,
		TokenSource:    found.source(registration.AuthMethod, registration.ClientID, registration.ClientSecret),
		RequiresIssuer: found.server.SendsIssuer, Tenants: found.server.Tenants, Started: time.Now().UTC(),
	}
	c.hide(pending.Verifier)
	config := oauth2.Config{
		ClientID: pending.ClientID, RedirectURL: pending.RedirectURI, Scopes: pending.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: found.server.loginPage()},
	}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(pending.Verifier)}
	if pending.Resource != "" {
		options = append(options, oauth2.SetAuthURLParam("resource", pending.Resource)) // that tokens are for (RFC 8707 section 2)
	}
	// People read it, so it has no letters that look like others or reorder the text.
	pending.URL = domain.EncodeURL(config.AuthCodeURL(pending.State, options...))
	return pending
}

// Why the response to an authorization request is refused.
var (
	// ErrNotPending says that no login is waiting for the response.
	ErrNotPending = errors.New("no login is waiting for this: it was already finished, or never begun")
	// ErrWrongState says that the response is for another login, or forged.
	ErrWrongState = errors.New("this is not the answer to the login that is waiting (its state differs)")
	// ErrWithoutResource says that the authorization server refused the "resource" of the request, and that the next
	// login is made without it.
	ErrWithoutResource = errors.New("the next login goes without \"resource\", which the authorization server refused")
	// ErrWrongIssuer says that another authorization server may have answered (RFC 9207).
	ErrWrongIssuer = errors.New("the answer is not from the authorization server at which the login began")
)

// Complete finishes the login that Begin began. Callback is the whole address to which the
// browser was sent. Once a response is accepted as that of the login, the login is over, even if
// the exchange fails: a code is sent once.
//
// Failures: ErrNotPending, ErrWrongState, ErrWrongIssuer; ErrWithoutResource; *ServerError, such as
// "access_denied"; otherwise a line for people, without secrets.
func (c *Client) Complete(ctx context.Context, server Server, callback string) (logins.Record, error) {
	response, err := readCallback(callback)
	if err != nil {
		return logins.Record{}, err
	}
	c.hide(response.Get("code"))
	key := server.Key()
	pending, err := c.takePending(ctx, server, response)
	if err != nil {
		return logins.Record{}, err
	}
	if code := response.Get("error"); code != "" {
		return logins.Record{}, c.withoutResource(ctx, key, pending, c.serverError(code, response.Get("error_description")))
	}
	if response.Get("code") == "" {
		return logins.Record{}, errors.New("the authorization server sent neither a code nor an error")
	}
	tokens, err := c.exchange(ctx, server, pending, response.Get("code"))
	if err != nil {
		c.dropRegistration(ctx, key, pending.Issuer, pending.ClientID, err)
		return logins.Record{}, c.withoutResource(ctx, key, pending, err)
	}
	return c.keep(ctx, key, pending, tokens)
}

// withoutResource notes that an authorization server refused the resource of a request if err says so, and adds
// ErrWithoutResource to err then.
func (c *Client) withoutResource(ctx context.Context, key logins.Key, pending logins.Pending, err error) error {
	if pending.Resource == "" || !refusesResource(err) {
		return err
	}
	failure := c.Store.Update(ctx, key, func(record *logins.Record) error {
		record.RefusesResource = pending.Issuer
		return nil
	})
	if failure != nil {
		return err
	}
	return fmt.Errorf("%w; %w", err, ErrWithoutResource)
}

// refusesResource reports whether an authorization server refuses the "resource" of a request: by the code of RFC 8707
// section 2, or in the words of Microsoft Entra ID.
func refusesResource(err error) bool {
	refusal, ok := errors.AsType[*ServerError](err)
	return ok && (refusal.Code == "invalid_target" || strings.Contains(refusal.Description, "AADSTS9010010") ||
		strings.Contains(refusal.Description, "AADSTS901002"))
}

// readCallback returns the parameters of a response.
func readCallback(callback string) (url.Values, error) {
	address, err := url.Parse(strings.TrimSpace(callback))
	if err != nil || address.Host == "" {
		return nil, errors.New("this is not the whole address that the browser was sent to (http://…?code=…&state=…)")
	}
	response, err := url.ParseQuery(address.RawQuery)
	if err != nil || response.Get("state") == "" {
		return nil, errors.New("this address is not the answer to a login: it has no state")
	}
	for _, name := range []string{"state", "code", "iss", "error", "error_description"} {
		if len(response[name]) > 1 { // of two, one may be forged (RFC 6749 section 3.1)
			return nil, fmt.Errorf("this address is not the answer to a login: it has %s more than once", name)
		}
	}
	return response, nil
}

// takePending removes the request that a response is for from the login, so that no other
// process acts on the response.
func (c *Client) takePending(ctx context.Context, server Server, response url.Values) (logins.Pending, error) {
	var pending logins.Pending
	err := c.Store.Update(ctx, server.Key(), func(record *logins.Record) error {
		if record.Pending == nil {
			return ErrNotPending
		}
		if err := judge(*record.Pending, server.Settings.Issuer, response); err != nil {
			return err
		}
		pending, record.Pending = *record.Pending, nil
		return nil
	})
	return pending, err
}

// judge checks that a response belongs to the request, before anything else in it is read (RFC
// 9207 section 2.4). Issuers are compared byte by byte there, with the one in the metadata.
//
// Decision: the final slash counts here, as that specification and the conformance tests of MCP have
// it. A configured issuer that is the same but for its slash is accepted in its own form too.
func judge(pending logins.Pending, configured string, response url.Values) error {
	if subtle.ConstantTimeCompare([]byte(pending.State), []byte(response.Get("state"))) != 1 {
		return ErrWrongState
	}
	issuer := response.Get("iss")
	isConfigured := issuer == configured && domain.SameIssuer(configured, pending.Issuer)
	switch {
	case issuer == pending.Issuer || isConfigured || isOfTenant(issuer, pending.Tenants) || !pending.RequiresIssuer && !response.Has("iss"):
		return nil
	case issuer == "":
		return fmt.Errorf("%w: it has no iss, and its metadata promises %q", ErrWrongIssuer, whole(pending.Issuer))
	case domain.SameIssuer(issuer, pending.Issuer):
		return fmt.Errorf(`%w: its iss is %q, not %q; that form in "oauth.issuer" of the configuration is accepted`,
			ErrWrongIssuer, whole(issuer), whole(pending.Issuer))
	}
	return fmt.Errorf("%w: its iss is %q, not %q", ErrWrongIssuer, whole(issuer), whole(pending.Issuer))
}

// keep stores the tokens of a login that the user just made.
func (c *Client) keep(ctx context.Context, key logins.Key, pending logins.Pending, tokens logins.Tokens) (logins.Record, error) {
	var kept logins.Record
	// The code is used up, so the tokens are kept even if the caller no longer waits.
	err := c.Store.Update(context.WithoutCancel(ctx), key, func(record *logins.Record) error {
		if challenge := record.Challenge; challenge != nil && challenge.Error == insufficientScope {
			record.StepUps = append(recentStepUps(*record), logins.StepUp{Scopes: challenge.Scopes, Time: time.Now().UTC()})
		}
		record.TokenSource = pending.TokenSource
		record.Requested, record.Granted = pending.Scopes, pending.Scopes
		record.RefreshToken, record.Challenge = "", nil
		record.Accept(tokens)
		kept = *record
		return nil
	})
	return kept, err
}
