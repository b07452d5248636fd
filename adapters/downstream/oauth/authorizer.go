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

// Authorizer is what one server's requests are authorized with: it knows the token to send,
// and what to do when the server refuses it. Logins that are made elsewhere count at the next
// request. Safe for concurrent use.
type Authorizer struct {
	client *Client
	server Server
	key    logins.Key

	mu sync.Mutex
	// renewing says that a refresh is under way that no request waits for, and notBefore
	// when the next such one may begin.
	renewing  bool
	notBefore time.Time
	// noLogins says why no login could be made at the server when it was last looked for one,
	// at lookedFor.
	noLogins  error
	lookedFor time.Time
}

// Authorizer returns the authorizer of a server. It reads nothing yet.
func (c *Client) Authorizer(server Server) *Authorizer {
	return &Authorizer{client: c, server: server, key: server.Key()}
}

const (
	// earlyTime is how long before its end a token is refreshed, at most a tenth of its life.
	earlyTime = 30 * time.Second
	// retryTime is how long after a failed early refresh the next one may begin.
	retryTime = 10 * time.Second
	// noLoginsTime is for how long a server is not asked again whether it has logins.
	noLoginsTime = time.Minute
)

// Token returns the token to send with a request, "" for none: then the request is sent
// without, and the server says what it wants. It waits for a refresh only if the token is
// over; the context bounds that wait, and the refresh goes on without it.
//
// Failures: those of reading the login, and of a refresh that may succeed later, as
// lines for a model.
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

// own returns the login without its tokens if it was made before another authorization server
// was configured: they, and the secret of the client, must not go where the earlier one leads.
func (a *Authorizer) own(record logins.Record) logins.Record {
	if issuer := a.server.Settings.Issuer; issuer != "" && record.Issuer != issuer {
		record.AccessToken, record.RefreshToken = "", ""
	}
	return record
}

func canRefresh(record logins.Record) bool {
	return record.RefreshToken != "" && record.Ended == "" && record.TokenEndpoint != ""
}

// refreshEarly refreshes a token that still lives, without waiting for it.
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
			a.client.log.Debug("could not refresh a login whose token still lives", "server", a.key.Server, "error", err)
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.renewing = false
		if err != nil {
			a.notBefore = time.Now().Add(retryTime)
		}
	}()
}

// refresh replaces the token of a login, unless somebody did meanwhile, and returns the
// new one. It returns "" when the login ended, so that the server is asked what it wants.
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

// Refused judges the refusal (401 or 403) of a request that was sent with a token, "" for none, for the
// attempt of that number, from 0. It reports whether the request may be made again, now or
// in vain: a refused request was not carried out. Without an error, and not again, the refusal
// is not about logins.
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
		return true, nil // somebody logged in meanwhile
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

// maxAttempts is how often a request may be made again: once for want of a token, and once
// for want of scopes.
const maxAttempts = 2

func isAlive(record logins.Record) bool {
	return record.AccessToken != "" && (record.Expiry.IsZero() || time.Now().Before(record.Expiry))
}

// whyLogin says why a login is needed, and behind it in which words of the authorization server.
func whyLogin(record logins.Record, token string) (why, words string) {
	switch {
	case record.Ended != "":
		return "its login has ended", " (" + record.Ended + ")"
	case token != "":
		return "it does not accept its login any more", ""
	case record.AccessToken != "":
		return "its login is over", ""
	}
	return "it asks for a login", ""
}

// requireScopes asks for a login with more scopes, unless several were in vain.
func (a *Authorizer) requireScopes(ctx context.Context, record logins.Record, challenge Challenge) error {
	scopes := shown(strings.Join(challenge.Scopes, " "))
	if isTriedOut(record, challenge.Scopes) {
		return fmt.Errorf("the server wants the scopes %q, although %d logins in a row were made for them", scopes, maxStepUps)
	}
	return a.require(ctx, challenge, "it wants a login", fmt.Sprintf(" with the scopes %q", scopes))
}

// require notes what the server wants, for whoever logs in next, in any process.
func (a *Authorizer) require(ctx context.Context, challenge Challenge, why, wanted string) error {
	required := &domain.LoginRequiredError{ID: a.server.ID, Origin: origin(a.server.Address), Why: why, Wanted: wanted}
	err := a.client.Store.Update(ctx, a.key, func(record *logins.Record) error {
		if record.Challenge != nil && isSame(challengeOf(*record), challenge) {
			return nil
		}
		record.Challenge = &logins.Challenge{
			ResourceMetadata: challenge.ResourceMetadata, Scopes: challenge.Scopes, Error: challenge.Error, Time: time.Now().UTC(),
		}
		return nil
	})
	if err != nil { // a login finds out itself what the server wants
		a.client.log.Debug("could not note what the server wants", "server", a.key.Server, "error", err)
	}
	return required
}

func isSame(a, b Challenge) bool {
	return a.ResourceMetadata == b.ResourceMetadata && a.Error == b.Error && slices.Equal(a.Scopes, b.Scopes)
}

// findLogins returns why no login can be made at a server that does not say where its metadata
// is. One that has none is not asked again for a while.
func (a *Authorizer) findLogins(ctx context.Context, challenge Challenge) error {
	a.mu.Lock()
	known := a.noLogins
	isFresh := time.Since(a.lookedFor) < noLoginsTime
	a.mu.Unlock()
	if known != nil && isFresh {
		return known
	}
	// A caller that gives up soon must not decide what is known from now on.
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

// whenConfigured returns why there are no logins if the configuration wants some. Otherwise
// the server is one that never heard of OAuth, and its refusal is like any other.
func (a *Authorizer) whenConfigured(err error) error {
	if !a.server.Settings.Configured {
		return nil
	}
	return fmt.Errorf("the server wants to know who asks, and no login can be made: %w", err)
}
