package streamablehttp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// renewTime bounds the handshake of a new session.
const renewTime = 30 * time.Second

var (
	// errForgotten says that an answer is that of a server that does not know the session.
	errForgotten = errors.New("the server forgot the session")
	// errUnknown ends a call that may have been carried out in a session that is gone.
	errUnknown = errors.New("the server forgot the session, and a new one was begun; whether this call was carried out is not known, so find out before calling again")
	// errTooSoon says that a new session was begun a moment ago.
	errTooSoon = errors.New("the server forgot the session again, a moment after a new one was begun")
)

// lostSession are the words of servers that do not know a session. A text that only mentions a session may
// be about another one, such as that of a browser.
var lostSession = regexp.MustCompile(`(?i)mcp-session-id|server not initialized|` +
	`\bsession\b.{0,60}\b(not found|unknown|expired|invalid|not valid|missing|required|terminated|lost|gone|not exist|not initialized)\b|` +
	`\b(unknown|invalid|expired|missing|no|no valid|no such|no active)\b.{0,20}\bsession\b`)

// maxLostAnswer is the size of the longest answer that is read for those words, in bytes.
const maxLostAnswer = 4 << 10

// isLost reports whether a message is a JSON-RPC error that says that the server does not know the
// session, and a new one may be begun now. Codes of JSON-RPC for wrong methods and parameters, and for
// failures inside of a call, are about the call.
func (l *link) isLost(session *session, message []byte) bool {
	if session.id == "" || len(message) > maxLostAnswer || !lostSession.Match(message) {
		return false
	}
	answer, err := jsonrpc.ParseMessage(rawjson.NewScanner(), message)
	if err != nil || rawjson.Kind(answer.Error) != '{' || !l.session.mayRenew() {
		return false
	}
	switch string(rawjson.Member(answer.Error, "code")) {
	case strconv.Itoa(mcp.METHOD_NOT_FOUND), strconv.Itoa(mcp.INVALID_PARAMS), strconv.Itoa(mcp.INTERNAL_ERROR):
		return false
	}
	return lostSession.MatchString(rawjson.Text(rawjson.Member(answer.Error, "message")))
}

// isForgotten reports whether a refusal says that the server does not know the session, so that it
// did not process the request: 404 by the specification; some servers send 400, 410, 500 or 503 and
// speak of the session.
func (s *session) isForgotten(refusal *web.RefusalError) bool {
	if s.id == "" {
		return false
	}
	text := rawjson.Text(rawjson.Member(rawjson.Member(refusal.Body, "error"), "message"))
	if text == "" {
		text = string(refusal.Body)
	}
	switch refusal.Status {
	case http.StatusNotFound:
		return true
	case http.StatusBadRequest, http.StatusGone: // the request was not carried out
		text = strings.ToLower(text)
		return strings.Contains(text, "session") || strings.Contains(text, "not initialized")
	case http.StatusInternalServerError, http.StatusServiceUnavailable:
		return lostSession.MatchString(text)
	}
	return false
}

// mayBeDone reports whether a request may have been carried out although it was refused with that status in words about
// a session, so that it must not be sent again. A 404 says by the specification that it was not.
//
// Decision: of all requests only calls of tools do anything that a repetition could do twice.
func (c *call) mayBeDone(status int) bool {
	return status != http.StatusNotFound && c.method == mcp.MethodToolsCall &&
		!c.link.tools.isRepeatable(rawjson.Text(rawjson.Member(c.params, "name")))
}

// whenLost returns errForgotten if the request is to be sent again after an answer that says that the session is lost,
// nil if the answer counts, and otherwise what to end the request with.
func (c *call) whenLost(ctx context.Context, session *session) error {
	if !c.mayBeDone(http.StatusOK) {
		return errForgotten
	}
	return c.replaceIfGone(ctx, session)
}

// replaceIfGone replaces the session if a ping in it says that it is gone, and then returns errUnknown. It returns nil
// if the answer that a call got is its answer: about another session, such as that of a browser.
func (c *call) replaceIfGone(ctx context.Context, session *session) error {
	l := c.link
	if !l.isGone(ctx, session) {
		return ctx.Err()
	}
	l.log.Info("the server forgot the session, starting a new one; a call that may have been carried out is not sent again")
	switch err := l.renew(ctx, session); {
	case errors.Is(err, errTooSoon):
		return nil
	case err != nil:
		return err
	}
	return errUnknown
}

// isGone reports whether the answer to a ping says that the server does not know a session.
func (l *link) isGone(ctx context.Context, session *session) bool {
	var probe *call
	begin := func(ctx context.Context, request mcpclient.Request, reply mcpclient.Reply) {
		probe = l.start(ctx, request, session, reply)
	}
	answer, err := mcpclient.Ask(ctx, begin, mcpclient.Request{Method: mcp.MethodPing, Limit: probeTime})
	switch {
	case probe == nil:
		return false
	case err != nil || answer.Error == nil:
		return probe.gone.Load()
	}
	text := rawjson.Text(rawjson.Member(answer.Error, "message"))
	return probe.gone.Load() || lostSession.MatchString(text)
}

// renew replaces a session that the server forgot, and returns when it is replaced. It fails with
// errTooSoon within the pause after the last replacement.
func (l *link) renew(ctx context.Context, forgotten *session) error {
	current, first, err := l.session.joinRenewal(forgotten)
	if current == nil {
		return err
	}
	if first {
		l.workers.Start(func(ctx context.Context) { l.carryOutRenewal(ctx, forgotten) })
	}
	select {
	case <-current.done:
		return current.err
	case <-ctx.Done():
		return ctx.Err()
	case <-l.Done():
		return l.Err()
	}
}

// carryOutRenewal starts a new session. If that fails, so does the link.
func (l *link) carryOutRenewal(ctx context.Context, forgotten *session) {
	renewed, err := l.initializeAgain(ctx, forgotten)
	l.session.endRenewal(renewed, err)
	if err != nil {
		l.Fail(err)
		return
	}
	l.restartListening(func() {})
	for _, request := range l.session.toReplay() {
		l.startCall(context.Background(), request, func(mcpclient.Answer, error) {})
	}
	// The tools may have changed meanwhile, so callers are told as if by the server.
	l.receive(ctx, jsonrpc.Notification(mcp.MethodNotificationToolsListChanged, nil).Message())
}

// initializeAgain repeats the first handshake and returns the new session.
func (l *link) initializeAgain(ctx context.Context, forgotten *session) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	asking, endAsking := context.WithCancel(ctx) // of the call alone, which ends it if its stream stays open
	defer endAsking()
	request := l.session.initialize()
	var version string
	var failure error
	id, begun := l.Begin(asking, request, func(answer mcpclient.Answer, err error) {
		version, failure = rawjson.Text(rawjson.Member(answer.Result, "protocolVersion")), err
	})
	if !begun {
		return nil, failure
	}
	handshake := &call{
		link: l, id: id, method: request.Method, params: request.Params, cancel: endAsking,
		message: request.Frame(id).Message(), sent: make(chan struct{}),
	}
	if err := handshake.send(asking); err != nil {
		l.End(id, mcpclient.Answer{}, err)
		return nil, fmt.Errorf("the server forgot the session, and a new one cannot be started: %w", err)
	}
	if version != forgotten.version {
		return nil, fmt.Errorf("the server forgot the session and now speaks another protocol version (%.40q)", version)
	}
	renewed := newSession(l.endpoint, handshake.sessionID, version)
	initialized := jsonrpc.Notification(mcp.MethodNotificationInitialized, nil)
	l.deliver(ctx, renewed, mcp.MethodNotificationInitialized, initialized.Message())
	return renewed, nil
}
