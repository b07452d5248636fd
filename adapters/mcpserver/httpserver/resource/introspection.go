package resource

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	josejson "github.com/go-jose/go-jose/v4/json"

	"mcp-workbench/adapters/mcpserver/httpserver/access"
	"mcp-workbench/adapters/mcpserver/httpserver/tokens"
	"mcp-workbench/domain/shares"
)

const (
	// introspectionTime is how long an answer is valid, at most.
	introspectionTime = 30 * time.Second
	// maxAnswers is the maximum number of answers that are kept.
	maxAnswers = 1000
	// maxQuestions is the maximum number of tokens that the issuer is asked about at the same
	// time, maxWaiting how many wait for that.
	maxQuestions = 8
	maxWaiting   = 64
	// maxOpaque is the maximum length of a token that is not a JWT, in bytes. Those of known issuers
	// have less than 200.
	maxOpaque = 2 << 10
	// maxAnswer is the largest answer of the issuer, in bytes.
	maxAnswer = 64 << 10
)

var errTooMany = errors.New("ask the issuer about a token: too many questions are under way")

// Introspection is the endpoint of an issuer that validates tokens, and the client that calls it.
type Introspection struct {
	Endpoint, ClientID, ClientSecret string
}

// introspector asks the issuer about tokens (RFC 7662). Safe for concurrent use.
type introspector struct {
	settings Introspection
	issuer   string
	client   http.Client
	check    func(*claims) (access.Access, error)
	// turns are those of questions. Each token that the issuer accepted has turns of its own, and so has
	// each source of others, so that tokens without end keep neither a user nor another source out.
	turns   *shares.Turns
	answers *answers
	log     *slog.Logger
}

func newIntrospector(settings Settings, client *http.Client, check func(*claims) (access.Access, error), log *slog.Logger) *introspector {
	i := &introspector{
		settings: *settings.Introspection, issuer: settings.Issuer, client: *client, check: check, log: log,
		turns: shares.NewTurns(maxQuestions, 0, maxWaiting), answers: newAnswers(maxAnswers),
	}
	i.client.Timeout = fetchTime
	i.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return i
}

// verify returns the access that a token gives, as [Server.Verify] does. Callers with the same
// token wait for the same question.
func (i *introspector) verify(ctx context.Context, text, source string) (access.Access, error) {
	if len(text) > maxOpaque {
		return access.Access{}, refused("the token is too long")
	}
	found, isNew := i.answers.find(sha256.Sum256([]byte(text)), source)
	if isNew {
		// The question is not that of a caller, whose request is not kept for it.
		asking, cancel := context.WithTimeout(context.Background(), fetchTime)
		i.answers.begin(found, cancel)
		go i.ask(asking, text, found) //nolint:contextcheck // see above
	}
	select {
	case <-found.done:
	case <-ctx.Done():
		i.answers.leave(found)
		return access.Access{}, ctx.Err()
	}
	if found.err == nil && !found.access.Until.After(time.Now()) {
		return access.Access{}, refused("the token has expired")
	}
	return found.access, found.err
}

// ask asks the issuer about a token. It keeps the answer only if the issuer accepted or refused
// the token.
func (i *introspector) ask(ctx context.Context, text string, into *answer) {
	granted, err := i.introspect(ctx, text, into.turn)
	_, isRefused := errors.AsType[*tokens.RefusedError](err)
	isKept := err == nil || isRefused
	isAbandoned := errors.Is(ctx.Err(), context.Canceled)
	if !isAbandoned && !errors.Is(err, errTooMany) && i.answers.hasChanged(isKept) {
		if isKept {
			i.log.Warn("the issuer validates tokens again")
		} else {
			i.log.Warn("the issuer does not validate tokens; tokens that are not JWTs are not accepted until it does", "error", err)
		}
	}
	i.answers.settle(into, granted, err, isKept)
}

// introspect asks the issuer about a token. Failures: *tokens.RefusedError; others if the token
// cannot be validated now.
func (i *introspector) introspect(ctx context.Context, text, turn string) (access.Access, error) {
	end, err := i.turns.Take(ctx, turn)
	if err != nil {
		return access.Access{}, errTooMany
	}
	defer end()
	body, err := i.post(ctx, url.Values{"token": {text}, "token_type_hint": {"access_token"}})
	if err != nil {
		return access.Access{}, fmt.Errorf("ask the issuer about a token: %w", err)
	}
	var answered struct {
		claims
		Active    bool   `json:"active"`
		TokenType string `json:"token_type"`
	}
	switch err := josejson.Unmarshal(body, &answered); {
	case err != nil:
		return access.Access{}, errors.New("ask the issuer about a token: the answer does not conform to RFC 7662")
	case !answered.Active:
		return access.Access{}, refused("the token is not active")
	case answered.TokenType != "" && !strings.EqualFold(answered.TokenType, "Bearer"):
		return access.Access{}, refused("the token is not a bearer token")
	case answered.Issuer == "": // which an answer of the issuer need not name
		answered.Issuer = i.issuer
	}
	return i.check(&answered.claims)
}

// post sends a form with the credentials of the client (RFC 6749, section 2.3.1), and returns the
// body of the answer.
func (i *introspector) post(ctx context.Context, form url.Values) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, i.settings.Endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	request.SetBasicAuth(url.QueryEscape(i.settings.ClientID), url.QueryEscape(i.settings.ClientSecret))
	response, err := i.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }() // no more of it is needed
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("the answer is larger than %d bytes", maxAnswer)
	}
	return body, err
}
