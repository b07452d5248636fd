package streamablehttp

import (
	"context"
	"fmt"
	"net/http"
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

// isForgotten reports whether a refusal says that the server does not know the session, so that it
// did not process the request: 404 by the specification; some servers send 400 and mention the
// session.
func (s *session) isForgotten(refusal *web.RefusalError) bool {
	if s.id == "" {
		return false
	}
	switch refusal.Status {
	case http.StatusNotFound:
		return true
	case http.StatusBadRequest:
		text := rawjson.Text(rawjson.Member(rawjson.Member(refusal.Body, "error"), "message"))
		if text == "" {
			text = string(refusal.Body)
		}
		text = strings.ToLower(text)
		return strings.Contains(text, "session") || strings.Contains(text, "not initialized")
	}
	return false
}

// renew replaces a session that the server forgot, and returns when it is replaced.
func (l *link) renew(ctx context.Context, forgotten *session) error {
	current, first := l.session.joinRenewal(forgotten)
	if current == nil {
		return nil
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
