package callers

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	josejson "github.com/go-jose/go-jose/v4/json"

	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
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
	client   *issuerClient
	check    func(*claims) (Access, error)
	// turns are those of questions. Each token that the issuer accepted has turns of its own, and so has
	// each source of others, so that tokens without end keep neither a user nor another source out.
	turns   *shares.Turns
	answers *answers
	log     *slog.Logger
}

func newIntrospector(settings ResourceSettings, client *issuerClient, check func(*claims) (Access, error), log *slog.Logger) *introspector {
	return &introspector{
		settings: *settings.Introspection, issuer: settings.Issuer, client: client, check: check, log: log,
		turns: shares.NewTurns(maxQuestions, 0, maxWaiting), answers: newAnswers(maxAnswers),
	}
}

// verify returns the access that a token gives, as [Resource.Verify] does. Callers with the same
// token wait for the same question.
func (i *introspector) verify(ctx context.Context, text, source string) (Access, error) {
	if len(text) > maxOpaque {
		return Access{}, refusal("the token is too long")
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
		return Access{}, ctx.Err()
	}
	if found.err == nil && !found.access.Until.After(time.Now()) {
		return Access{}, refusal("the token has expired")
	}
	return found.access, found.err
}

// ask asks the issuer about a token. It keeps the answer only if the issuer accepted or refused
// the token.
func (i *introspector) ask(ctx context.Context, text string, into *answer) {
	granted, err := i.introspect(ctx, text, into.turn)
	_, isRefused := errors.AsType[*RefusedError](err)
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

// introspect asks the issuer about a token. Failures: *RefusedError; others if the token
// cannot be validated now.
func (i *introspector) introspect(ctx context.Context, text, turn string) (Access, error) {
	end, err := i.turns.Take(ctx, turn)
	if err != nil {
		return Access{}, errTooMany
	}
	defer end()
	body, err := i.post(ctx, url.Values{"token": {text}, "token_type_hint": {"access_token"}})
	if err != nil {
		return Access{}, fmt.Errorf("ask the issuer about a token: %w", err)
	}
	var answered struct {
		claims
		Active    bool   `json:"active"`
		TokenType string `json:"token_type"`
	}
	switch err := josejson.Unmarshal(body, &answered); {
	case err != nil:
		return Access{}, errors.New("ask the issuer about a token: the answer does not conform to RFC 7662")
	case !answered.Active:
		return Access{}, refusal("the token is not active")
	case answered.TokenType != "" && !strings.EqualFold(answered.TokenType, "Bearer"):
		return Access{}, refusal("the token is not a bearer token")
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
	request.SetBasicAuth(url.QueryEscape(i.settings.ClientID), url.QueryEscape(i.settings.ClientSecret))
	body, status, err := i.client.read(request, maxAnswer)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d", status)
	}
	return body, err
}

// digest identifies a token, so that tokens themselves are not kept.
type digest = [sha256.Size]byte

// answer is what the issuer answered about a token.
type answer struct {
	token digest
	// done is closed when the fields below are set; they do not change afterwards.
	done   chan struct{}
	access Access
	err    error
	// turn is who takes turns for the question.
	turn string
	// The lock of answers guards the fields below. until is when the answer expires, callers is how
	// many wait for it, and cancel ends the question.
	until   time.Time
	callers int
	cancel  context.CancelFunc
}

// answers holds the answers of the issuer that have not expired, up to a maximum number. Safe for
// concurrent use.
type answers struct {
	max int

	mu       sync.Mutex // guards the fields below, and those of answers that say so
	kept     map[digest]*answer
	accepted domain.Recent[digest, bool] // whether the issuer accepted a token that it accepted before
	isFailed bool                        // whether the last question had no answer
}

func newAnswers(maximum int) *answers {
	return &answers{max: maximum, kept: map[digest]*answer{}}
}

// find returns the answer about a token from a source, which may not be there yet. If it is new, the caller must ask
// the issuer and call settle.
func (a *answers) find(token digest, source string) (found *answer, isNew bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found := a.kept[token]; found != nil && (found.until.IsZero() || time.Now().Before(found.until)) {
		found.callers++
		return found, false
	}
	if len(a.kept) >= a.max {
		a.makeRoomLocked()
	}
	found = &answer{token: token, done: make(chan struct{}), callers: 1, turn: "source " + source}
	if isAccepted, _ := a.accepted.Get(token); isAccepted {
		found.turn = "token " + string(token[:])
	}
	a.kept[token] = found
	return found, true
}

// begin sets what ends the question about a token.
func (a *answers) begin(found *answer, cancel context.CancelFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	found.cancel = cancel
	if found.callers == 0 {
		cancel()
	}
}

// leave is for a caller that does not wait any more. The question ends with its last caller.
func (a *answers) leave(found *answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found.callers--; found.callers > 0 || !found.until.IsZero() {
		return
	}
	if a.kept[found.token] == found {
		delete(a.kept, found.token)
	}
	if found.cancel != nil {
		found.cancel()
	}
}

// makeRoomLocked drops the expired answers, and any other one if that makes no room. The issuer is asked
// again about a dropped token.
func (a *answers) makeRoomLocked() {
	now := time.Now()
	for token, kept := range a.kept {
		if !kept.until.IsZero() && !now.Before(kept.until) {
			delete(a.kept, token)
		}
	}
	for _, isDropped := range []func(*answer) bool{
		func(kept *answer) bool { return !kept.until.IsZero() && kept.err != nil }, // those that were refused first
		func(*answer) bool { return true },
	} {
		for token, kept := range a.kept {
			if len(a.kept) < a.max {
				return
			}
			if isDropped(kept) {
				delete(a.kept, token)
			}
		}
	}
}

// hasChanged records whether a question was answered, and reports whether that differs from the question
// before. Before the first question, it assumes an answer.
func (a *answers) hasChanged(isAnswered bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	changed := a.isFailed == isAnswered
	a.isFailed = !isAnswered
	return changed
}

// settle sets an answer. It is valid for [introspectionTime] if it is kept, otherwise only for the
// callers that wait for it.
func (a *answers) settle(found *answer, granted Access, err error, isKept bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	found.access, found.err = granted, err
	found.until = time.Now().Add(introspectionTime)
	if found.cancel != nil {
		found.cancel()
	}
	if _, wasAccepted := a.accepted.Get(found.token); isKept && (err == nil || wasAccepted) {
		a.accepted.Put(found.token, err == nil, 2*a.max)
	}
	if !isKept && a.kept[found.token] == found {
		delete(a.kept, found.token)
	}
	close(found.done)
}
