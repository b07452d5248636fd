package streamablehttp

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
)

// renewTime bounds the handshake of a new session.
const renewTime = 30 * time.Second

// renewal replaces a session that the server forgot. All who meet it share it.
type renewal struct {
	done chan struct{} // closed when err is set
	err  error
}

// isForgotten reports whether a refusal says that the server does not know the
// session, and so did nothing: 404 by the specification, 400 with words about the
// session by servers in the field.
func (s *session) isForgotten(refusal *web.RefusalError) bool {
	if s.id == "" {
		return false
	}
	switch refusal.Status {
	case http.StatusNotFound:
		return true
	case http.StatusBadRequest:
		text := jsonscan.Text(jsonscan.Member(jsonscan.Member(refusal.Body, "error"), "message"))
		if text == "" {
			text = string(refusal.Body)
		}
		text = strings.ToLower(text)
		return strings.Contains(text, "session") || strings.Contains(text, "not initialized")
	}
	return false
}

// renew returns when the session that was forgotten has been replaced.
func (l *link) renew(ctx context.Context, forgotten *session) error {
	l.mu.Lock()
	current := l.renewal
	if current == nil {
		if l.session.Load() != forgotten {
			l.mu.Unlock()
			return nil
		}
		current = &renewal{done: make(chan struct{})}
		l.renewal = current
		l.workers.Start(func(ctx context.Context) { l.carryOut(ctx, current, forgotten) })
	}
	l.mu.Unlock()
	select {
	case <-current.done:
		return current.err
	case <-ctx.Done():
		return ctx.Err()
	case <-l.Done():
		return l.Err()
	}
}

// carryOut begins a new session. A link that cannot have one is lost.
func (l *link) carryOut(ctx context.Context, current *renewal, forgotten *session) {
	current.err = l.beginSession(ctx, forgotten)
	l.mu.Lock()
	l.renewal = nil
	l.mu.Unlock()
	close(current.done)
	if current.err != nil {
		l.Fail(current.err)
		return
	}
	l.listenAnew(func() {})
	l.repeatLasting()
	// What was missed meanwhile is looked up.
	l.tell(ctx, domain.MethodNotificationToolsListChanged)
}

// beginSession shakes hands again, as the link did at first.
func (l *link) beginSession(ctx context.Context, forgotten *session) error {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	l.mu.Lock()
	hello := bytes.Clone(l.hello)
	l.mu.Unlock()
	var answer mcpclient.Answer
	var failure error
	request := mcpclient.Request{Method: domain.MethodInitialize, Params: hello}
	id, begun := l.Begin(ctx, request, func(got mcpclient.Answer, err error) {
		answer, failure = mcpclient.Answer{Result: bytes.Clone(got.Result), Error: bytes.Clone(got.Error)}, err
	})
	if !begun {
		return failure
	}
	greeting := &call{
		link: l, id: id, method: request.Method, params: hello, cancel: cancel,
		message: jsonrpc.Request(id, request.Method, hello).Message(), sent: make(chan struct{}),
	}
	if err := greeting.make(ctx); err != nil {
		l.End(id, mcpclient.Answer{}, err)
		return fmt.Errorf("the server forgot the session, and a new one cannot be had: %w", err)
	}
	version := jsonscan.Text(jsonscan.Member(answer.Result, "protocolVersion"))
	if version != forgotten.version {
		return fmt.Errorf("the server forgot the session and speaks another protocol version now (%q)", version)
	}
	renewed := newSession(l.endpoint, greeting.sessionID, version)
	l.deliver(ctx, renewed, domain.MethodNotificationInitialized, jsonrpc.Notification(domain.MethodNotificationInitialized, nil).Message())
	l.session.Store(renewed)
	return nil
}

// remember notes the requests that a new session has to begin with.
func (l *link) remember(request mcpclient.Request) {
	switch request.Method {
	case domain.MethodInitialize:
		l.mu.Lock()
		l.hello = bytes.Clone(request.Params)
		l.mu.Unlock()
	case domain.MethodSetLogLevel:
		l.keep(request.Method, request)
	case domain.MethodResourcesSubscribe:
		l.keep(uriOf(request), request)
	case domain.MethodResourcesUnsubscribe:
		l.mu.Lock()
		delete(l.lasting, uriOf(request))
		l.mu.Unlock()
	}
}

func uriOf(request mcpclient.Request) string {
	return "uri " + jsonscan.Text(jsonscan.Member(request.Params, "uri"))
}

func (l *link) keep(key string, request mcpclient.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lasting[key] = mcpclient.Request{Method: request.Method, Params: bytes.Clone(request.Params)}
}

// repeatLasting makes the requests again that shape a session.
func (l *link) repeatLasting() {
	l.mu.Lock()
	var requests []mcpclient.Request
	for _, request := range l.lasting {
		requests = append(requests, mcpclient.Request{Method: request.Method, Params: bytes.Clone(request.Params)})
	}
	l.mu.Unlock()
	for _, request := range requests {
		l.begin(context.Background(), request, func(mcpclient.Answer, error) {})
	}
}

// tell hands in a notification as if the server had sent it.
func (l *link) tell(ctx context.Context, method string) {
	l.receive(ctx, jsonrpc.Notification(method, nil).Message())
}
