package oauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/domain"
)

// Authorizer authorizes the requests to one server: it knows the token to send, and what to do if
// the server refuses it. A login made by another process counts from the next request on. Safe
// for concurrent use.
type Authorizer struct {
	client *Client
	server Server
	key    logins.Key

	mu sync.Mutex
	// renewing says that a refresh is in progress that no request waits for, and notBefore
	// when the next one may begin.
	renewing  bool
	notBefore time.Time
	// noLogins says why no login was possible at the server when that was last checked, at
	// lookedFor.
	noLogins  error
	lookedFor time.Time
}

// Authorizer returns the authorizer of a server. It does no I/O.
func (c *Client) Authorizer(server Server) *Authorizer {
	return &Authorizer{client: c, server: server, key: server.Key()}
}

const (
	// earlyTime is the time before its expiry at which a token is refreshed, at most a tenth of its lifetime.
	earlyTime = 30 * time.Second
	// retryTime is the pause between a failed early refresh and the next one.
	retryTime = 10 * time.Second
	// noLoginsTime is the time for which a server without logins is not asked for them again.
	noLoginsTime = time.Minute
)

// Token returns the token to send with a request, or "" to send the request without one, so that
// the server says what it wants. It waits for a refresh only if the token has expired; the context
// bounds that wait, not the refresh.
//
// Errors are lines for a model: the login cannot be read, or a refresh failed that may succeed
// later.
func (a *Authorizer) Token(ctx context.Context) (string, error) {
	record, err := a.login()
	if err != nil {
		return "", fmt.Errorf("the login cannot be read: %w", err)
	}
	switch left := time.Until(record.Expiry); {
	case record.AccessToken == "":
		return "", nil
	case record.Expiry.IsZero() || left > a.early(record):
		return record.AccessToken, nil
	case !canRefresh(record) && left > 0:
		return record.AccessToken, nil
	case !canRefresh(record):
		return "", nil
	case left > 0:
		a.refreshEarly(ctx, record)
		return record.AccessToken, nil
	}
	return a.refresh(ctx, record)
}

func (a *Authorizer) early(record logins.Record) time.Duration {
	return min(earlyTime, record.Expiry.Sub(record.LastRefresh)/10)
}

// login reads the login at the server.
func (a *Authorizer) login() (logins.Record, error) {
	record, err := a.client.Store.Read(a.key)
	return a.own(record), err
}

// own returns the login, without its tokens if it was made at an authorization server other than
// the configured one: they must not be sent there.
func (a *Authorizer) own(record logins.Record) logins.Record {
	if issuer := a.server.Settings.Issuer; issuer != "" && !domain.SameIssuer(record.Issuer, issuer) {
		record.AccessToken, record.RefreshToken = "", ""
	}
	return record
}

func canRefresh(record logins.Record) bool {
	return record.RefreshToken != "" && record.Ended == "" && record.TokenEndpoint != ""
}

// refreshEarly starts to refresh a token that is still valid.
func (a *Authorizer) refreshEarly(ctx context.Context, record logins.Record) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.renewing || time.Now().Before(a.notBefore) {
		return
	}
	a.renewing = true
	go func() {
		_, err := a.refresh(context.WithoutCancel(ctx), record)
		if err != nil {
			a.client.log.Debug("could not refresh a login early", "server", a.key.Server, "error", err)
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.renewing = false
		if err != nil {
			a.notBefore = time.Now().Add(retryTime)
		}
	}()
}

// refresh replaces the token of a login, unless another process already did, and returns the new
// one. It returns "" if the login has ended, so that the server says what it wants.
func (a *Authorizer) refresh(ctx context.Context, used logins.Record) (string, error) {
	needed := func(now logins.Record) bool { return now.AccessToken == used.AccessToken }
	record, err := a.client.Store.Refresh(ctx, a.key, needed, a.client.sendRefresh(a.server))
	_, hasEnded := errors.AsType[*logins.EndedError](err)
	switch {
	case err == nil:
		return record.AccessToken, nil
	case hasEnded, errors.Is(err, logins.ErrNoRefreshToken):
		return "", nil
	}
	a.client.dropRegistration(ctx, a.key, used.Issuer, used.ClientID, err)
	if refusal, ok := errors.AsType[*ServerError](err); ok && (refusal.Code == invalidClient || refusal.Code == unauthorizedClient) {
		return "", nil
	}
	return "", fmt.Errorf("the login at %s cannot be refreshed now: %w", originOf(used.TokenEndpoint), err)
}

// Refused handles the refusal (401 or 403) of a request that was sent with a token, "" for none.
// Attempt counts from 0. It reports whether to make the request again, which is safe since a
// refused request was not carried out. If it returns false without an error, the refusal is not
// about logins.
//
// Failures: *domain.LoginRequiredError; others are lines for a model.
func (a *Authorizer) Refused(ctx context.Context, response *http.Response, token string, attempt int) (again bool, err error) {
	challenge := ReadChallenge(response.Header)
	isScope := response.StatusCode == http.StatusForbidden && challenge.Error == insufficientScope
	if response.StatusCode != http.StatusUnauthorized && !isScope {
		return false, nil
	}
	record, err := a.login()
	switch {
	case err != nil:
		return false, fmt.Errorf("the login cannot be read: %w", err)
	case attempt < maxAttempts && record.AccessToken != token && isAlive(record):
		return true, nil // another process logged in meanwhile
	case a.server.Settings.Unattended():
		return a.grantAgain(ctx, challenge, token, isScope, attempt)
	case isScope:
		return false, a.requireScopes(ctx, record, challenge)
	case attempt == 0 && token != "" && canRefresh(record):
		fresh, err := a.refresh(ctx, record)
		if err != nil || fresh != "" {
			return err == nil, err
		}
		if record, err = a.login(); err != nil {
			return false, err
		}
	case challenge.ResourceMetadata == "" && token == "":
		if err := a.findLogins(ctx, challenge); err != nil {
			return false, a.whenConfigured(err)
		}
	}
	why, words := whyLogin(record, token)
	return false, a.require(ctx, challenge, why, words)
}

// maxAttempts is the number of times that a request may be made again: once for a missing token,
// and once for missing scopes.
const maxAttempts = 2

func isAlive(record logins.Record) bool {
	return record.AccessToken != "" && (record.Expiry.IsZero() || time.Now().Before(record.Expiry))
}

// whyLogin returns why a login is needed, and the words of the authorization server about it.
func whyLogin(record logins.Record, token string) (why, words string) {
	switch {
	case record.Ended != "":
		return "its login has ended", " (" + record.Ended + ")"
	case token != "":
		return "it no longer accepts its login", ""
	case record.AccessToken != "":
		return "its login has expired", ""
	}
	return "it asks for a login", ""
}

// requireScopes asks for a login with more scopes, unless several such logins did not help.
func (a *Authorizer) requireScopes(ctx context.Context, record logins.Record, challenge logins.Challenge) error {
	scopes := shown(strings.Join(challenge.Scopes, " "))
	if isTriedOut(record, challenge.Scopes) {
		return fmt.Errorf("the server still wants the scopes %q after %d logins in a row", scopes, maxStepUps)
	}
	if scopes == "" {
		return a.require(ctx, challenge, "it wants a login", ` with more scopes, and does not say which ("oauth.scopes" in the configuration names them)`)
	}
	return a.require(ctx, challenge, "it wants a login", fmt.Sprintf(" with the scopes %q", scopes))
}

// require records what the server wants, for the next login in any process.
func (a *Authorizer) require(ctx context.Context, challenge logins.Challenge, why, wanted string) error {
	required := &domain.LoginRequiredError{ID: a.server.ID, Origin: Origin(a.server.Address), Why: why, Wanted: wanted}
	err := a.client.Store.Update(ctx, a.key, func(record *logins.Record) error {
		if record.Challenge != nil && isSame(challengeOf(*record), challenge) {
			return nil
		}
		challenge.Time = time.Now().UTC()
		record.Challenge = &challenge
		return nil
	})
	if err != nil { // the next login asks the server again
		a.client.log.Debug("could not record what the server wants", "server", a.key.Server, "error", err)
	}
	return required
}

func isSame(a, b logins.Challenge) bool {
	return a.ResourceMetadata == b.ResourceMetadata && a.Error == b.Error && slices.Equal(a.Scopes, b.Scopes)
}

// findLogins returns why no login is possible at a server that does not say where its metadata
// is, nil if one is possible. A reason is kept for noLoginsTime.
func (a *Authorizer) findLogins(ctx context.Context, challenge logins.Challenge) error {
	a.mu.Lock()
	known := a.noLogins
	isFresh := time.Since(a.lookedFor) < noLoginsTime
	a.mu.Unlock()
	if known != nil && isFresh {
		return known
	}
	// A caller that gives up early must not decide what is kept.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), requestTime)
	defer cancel()
	_, err := a.client.discover(ctx, a.server, challenge)
	if err != nil {
		a.client.log.Debug("the server refuses requests and has no logins", "server", a.key.Server, "error", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.noLogins, a.lookedFor = err, time.Now()
	return err
}

// whenConfigured returns err if the configuration has "oauth". Otherwise the server does not use
// OAuth, and its refusal is like any other.
func (a *Authorizer) whenConfigured(err error) error {
	if !a.server.Settings.Configured {
		return nil
	}
	return fmt.Errorf("the server requires a login, which is not possible: %w", err)
}
